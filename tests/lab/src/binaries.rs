//! Where the binaries of the control plane, and of the tools that kubectl-op is compared with, come from:
//! `KUBEBUILDER_ASSETS`, the cache, or a build.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::builder;
use crate::settings;

/// How one binary is built from a published Go module.
#[derive(Debug)]
pub(crate) struct Recipe {
    pub(crate) name: &'static str,
    /// The folder under `tests/lab/go` whose go.mod and go.sum pin it.
    pub(crate) folder: &'static str,
    pub(crate) package: &'static str,
    /// The go.mod, from which the version is read.
    go_mod: &'static str,
    /// The module in it whose version is this binary's.
    module: &'static str,
}

const KUBERNETES: &str = include_str!("../go/kubernetes/go.mod");

/// In the order of building: the longest first, so that the user sees early how long it takes.
const RECIPES: [Recipe; 6] = [
    kubernetes("kube-apiserver", "k8s.io/kubernetes/cmd/kube-apiserver"),
    kubernetes("kube-controller-manager", "k8s.io/kubernetes/cmd/kube-controller-manager"),
    kubernetes("kube-scheduler", "k8s.io/kubernetes/cmd/kube-scheduler"),
    kubernetes("kubectl", "k8s.io/kubernetes/cmd/kubectl"),
    Recipe {
        name: "kwok",
        folder: "kwok",
        package: "sigs.k8s.io/kwok/cmd/kwok",
        go_mod: include_str!("../go/kwok/go.mod"),
        module: "sigs.k8s.io/kwok",
    },
    Recipe {
        name: "etcd",
        folder: "etcd",
        package: "go.etcd.io/etcd/server/v3",
        go_mod: include_str!("../go/etcd/go.mod"),
        module: "go.etcd.io/etcd/server/v3",
    },
];

const KUBE_LINEAGE: Recipe = Recipe {
    name: "kube-lineage",
    folder: "kube-lineage",
    package: "github.com/tohjustin/kube-lineage/cmd/kube-lineage",
    go_mod: include_str!("../go/kube-lineage/go.mod"),
    module: "github.com/tohjustin/kube-lineage",
};

const fn kubernetes(name: &'static str, package: &'static str) -> Recipe {
    Recipe { name, folder: "kubernetes", package, go_mod: KUBERNETES, module: "k8s.io/kubernetes" }
}

impl Recipe {
    /// The pinned version, such as `v1.36.3`.
    pub(crate) fn version(&self) -> Result<&'static str> {
        self.go_mod
            .lines()
            .filter_map(|line| line.trim().trim_start_matches("require ").split_once(' '))
            .find(|(module, version)| *module == self.module && version.starts_with('v'))
            .map(|(_, version)| version.trim_end_matches("// indirect").trim())
            .with_context(|| format!("{}/go.mod does not pin {}", self.folder, self.module))
    }

    /// Its place in a cache; the version is in the name, so that a newer pin is another file.
    pub(crate) fn cached(&self, cache: &Path) -> Result<PathBuf> {
        Ok(cache.join("bin").join(format!("{}-{}", self.name, self.version()?)))
    }
}

/// Another tool that shows what kubectl-op shows. No control plane needs it, so a lab does not wait for its build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peer {
    KubeLineage,
}

impl Peer {
    /// Its binary, built when neither the assets nor the cache have it. Blocks.
    pub fn find_or_build(self) -> Result<PathBuf> {
        let (recipe, assets, cache) = (self.recipe(), settings::assets(), settings::cache()?);
        if let Some(found) = locate(recipe, assets.as_deref(), &cache)? {
            return Ok(found);
        }
        builder::build(&cache, &[recipe])?;
        recipe.cached(&cache)
    }

    const fn recipe(self) -> &'static Recipe {
        match self {
            Self::KubeLineage => &KUBE_LINEAGE,
        }
    }
}

/// The binaries of one control plane.
#[derive(Clone, Debug)]
pub(crate) struct Binaries {
    pub(crate) etcd: PathBuf,
    pub(crate) kube_apiserver: PathBuf,
    pub(crate) kube_controller_manager: PathBuf,
    pub(crate) kube_scheduler: PathBuf,
    pub(crate) kubectl: PathBuf,
    pub(crate) kwok: PathBuf,
}

impl Binaries {
    /// Finds every binary; builds those that neither the assets nor the cache have, with progress on stderr.
    pub(crate) fn find_or_build() -> Result<Self> {
        let (assets, cache) = (settings::assets(), settings::cache()?);
        let missing = missing(assets.as_deref(), &cache)?;
        if !missing.is_empty() {
            builder::build(&cache, &missing)?;
        }
        let find = |name: &str| {
            let recipe = RECIPES.iter().find(|recipe| recipe.name == name).context("no such recipe")?;
            locate(recipe, assets.as_deref(), &cache)?
                .with_context(|| format!("{name} is missing after its build"))
        };
        Ok(Self {
            etcd: find("etcd")?,
            kube_apiserver: find("kube-apiserver")?,
            kube_controller_manager: find("kube-controller-manager")?,
            kube_scheduler: find("kube-scheduler")?,
            kubectl: find("kubectl")?,
            kwok: find("kwok")?,
        })
    }
}

fn missing(assets: Option<&Path>, cache: &Path) -> Result<Vec<&'static Recipe>> {
    let mut missing = Vec::new();
    for recipe in &RECIPES {
        if locate(recipe, assets, cache)?.is_none() {
            missing.push(recipe);
        }
    }
    Ok(missing)
}

fn locate(recipe: &Recipe, assets: Option<&Path>, cache: &Path) -> Result<Option<PathBuf>> {
    let candidates = [assets.map(|assets| assets.join(recipe.name)), Some(recipe.cached(cache)?)];
    Ok(candidates.into_iter().flatten().find(|path| path.is_file()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_recipe_has_a_pinned_version() {
        for recipe in RECIPES.iter().chain([Peer::KubeLineage.recipe()]) {
            let version = recipe.version().unwrap();
            assert!(version.chars().nth(1).is_some_and(|digit| digit.is_ascii_digit()), "{version}");
        }
    }

    #[test]
    fn assets_are_taken_for_what_they_have_and_the_cache_for_the_rest() {
        let (assets, cache) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let [apiserver, .., etcd] = &RECIPES;
        std::fs::write(assets.path().join("etcd"), "").unwrap();
        let cached = apiserver.cached(cache.path()).unwrap();
        std::fs::create_dir_all(cached.parent().unwrap()).unwrap();
        std::fs::write(&cached, "").unwrap();

        let locate = |recipe| locate(recipe, Some(assets.path()), cache.path()).unwrap();
        assert_eq!(locate(etcd), Some(assets.path().join("etcd")));
        assert_eq!(locate(apiserver), Some(cached));
        let missing = missing(Some(assets.path()), cache.path()).unwrap();
        let names: Vec<_> = missing.iter().map(|recipe| recipe.name).collect();
        assert_eq!(names, ["kube-controller-manager", "kube-scheduler", "kubectl", "kwok"]);
    }
}
