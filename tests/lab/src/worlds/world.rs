//! The names of the five operators and where they run: the only place where names are decided.

use std::fmt;
use std::str::FromStr;

use anyhow::{Result, bail};
use kube::core::GroupVersionKind;
use kube::discovery::ApiResource;

/// One of the five operators with the kind it serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum World {
    VoteConfig,
    Memcached,
    VmGroup,
    Website,
    HelloWorld,
}

/// The names of a world.
#[derive(Clone, Copy, Debug)]
pub struct WorldNames {
    /// Lower case, as on a command line.
    pub name: &'static str,
    pub group: &'static str,
    pub version: &'static str,
    pub kind: &'static str,
    pub plural: &'static str,
    pub finalizer: &'static str,
    /// The field manager under which the operator writes its custom resources.
    pub manager: &'static str,
    /// What its image is called and what its objects' names start with.
    pub operator: &'static str,
    /// Nothing for an operator that runs outside the cluster, on a developer's laptop.
    pub in_cluster: Option<InClusterInstall>,
}

/// Where an operator runs in the cluster.
#[derive(Clone, Copy, Debug)]
pub struct InClusterInstall {
    pub namespace: &'static str,
    /// Its Deployment, and its service account.
    pub workload: &'static str,
    /// The Lease by which it becomes leader.
    pub lease: &'static str,
}

const VOTE_CONFIG: WorldNames = WorldNames {
    name: "voteconfig",
    group: "voting.schoolofdevops.com",
    version: "v1alpha1",
    kind: "VoteConfig",
    plural: "voteconfigs",
    finalizer: "voting.schoolofdevops.com/finalizer",
    manager: "manager",
    operator: "voteconfig-operator",
    in_cluster: Some(InClusterInstall {
        namespace: "voteconfig-operator-system",
        workload: "voteconfig-operator-controller-manager",
        lease: "5d1c2b07.voting.schoolofdevops.com",
    }),
};

const MEMCACHED: WorldNames = WorldNames {
    name: "memcached",
    group: "cache.example.com",
    version: "v1alpha1",
    kind: "Memcached",
    plural: "memcacheds",
    finalizer: "cache.example.com/finalizer",
    manager: "manager",
    operator: "memcached-operator",
    in_cluster: Some(InClusterInstall {
        namespace: "memcached-operator-system",
        workload: "memcached-operator-controller-manager",
        lease: "86f835c3.cache.example.com",
    }),
};

const VM_GROUP: WorldNames = WorldNames {
    name: "vmgroup",
    group: "vm.codeconnect.vmworld.com",
    version: "v1alpha1",
    kind: "VmGroup",
    plural: "vmgroups",
    finalizer: "vm.codeconnect.vmworld.com/finalizer",
    manager: "manager",
    operator: "codeconnect-vm-operator",
    in_cluster: Some(InClusterInstall {
        namespace: "codeconnect-vm-operator-system",
        workload: "codeconnect-vm-operator-controller-manager",
        // The parent domain of the group, as kubebuilder scaffolds it; the others carry the whole group.
        lease: "c2a14e9d.codeconnect.vmworld.com",
    }),
};

const WEBSITE: WorldNames = WorldNames {
    name: "website",
    group: "webapp.example.com",
    version: "v1",
    kind: "Website",
    plural: "websites",
    finalizer: "webapp.example.com/finalizer",
    manager: "manager",
    operator: "website-operator",
    in_cluster: Some(InClusterInstall {
        namespace: "website-operator-system",
        workload: "website-operator-controller-manager",
        lease: "website-operator.example.com",
    }),
};

const HELLO_WORLD: WorldNames = WorldNames {
    name: "helloworld",
    group: "apps.example.com",
    version: "v1alpha1",
    kind: "HelloWorld",
    plural: "helloworlds",
    finalizer: "kopf.zalando.org/KopfFinalizerMarker",
    manager: "kopf",
    operator: "helloworld-operator",
    in_cluster: None,
};

impl World {
    /// What its sample is called, as in the examples of kubectl-op's help.
    pub const fn sample_name(self) -> &'static str {
        match self {
            Self::VoteConfig => "demo",
            Self::Memcached => "mc",
            Self::VmGroup => "web",
            Self::Website => "shop",
            Self::HelloWorld => "my-hello-world",
        }
    }

    pub const ALL: [Self; 5] =
        [Self::VoteConfig, Self::Memcached, Self::VmGroup, Self::Website, Self::HelloWorld];

    /// The world's names.
    pub const fn names(self) -> &'static WorldNames {
        match self {
            Self::VoteConfig => &VOTE_CONFIG,
            Self::Memcached => &MEMCACHED,
            Self::VmGroup => &VM_GROUP,
            Self::Website => &WEBSITE,
            Self::HelloWorld => &HELLO_WORLD,
        }
    }

    /// The kind as a client without types needs it.
    pub fn resource(self) -> ApiResource {
        let names = self.names();
        let kind = GroupVersionKind::gvk(names.group, names.version, names.kind);
        ApiResource::from_gvk_with_plural(&kind, names.plural)
    }

    /// The name of its CRD.
    pub fn crd_name(self) -> String {
        let WorldNames { plural, group, .. } = self.names();
        format!("{plural}.{group}")
    }
}

impl fmt::Display for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.names().name)
    }
}

impl FromStr for World {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        let found = Self::ALL.into_iter().find(|world| world.names().name == text);
        match found {
            Some(world) => Ok(world),
            None => bail!(
                "no world is called {text:?}; there are {}",
                Self::ALL.map(|w| w.names().name).join(", ")
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::World;

    #[test]
    fn every_world_is_found_by_the_name_it_prints() {
        for world in World::ALL {
            assert_eq!(world.to_string().parse::<World>().unwrap(), world);
        }
        assert!("VoteConfig".parse::<World>().is_err());
    }
}
