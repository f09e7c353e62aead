//! The virtual machines of the external system: one file each. The cluster knows nothing of them.

use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};

/// The first number that the external system assigns.
const FIRST: u32 = 1042;

/// One machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Vm {
    pub(super) id: String,
    /// `namespace/name` of the group it was made for.
    pub(super) group: String,
    pub(super) shape: Shape,
}

/// What a machine is made of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Shape {
    pub(super) cpu: i32,
    pub(super) memory: i32,
    pub(super) template: String,
}

/// What has to happen to a group's machines.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Plan {
    pub(super) create: usize,
    /// The youngest go first.
    pub(super) destroy: Vec<String>,
}

/// Compares the machines there are with how many there should be.
pub(super) fn plan(existing: &[Vm], wanted: usize) -> Plan {
    Plan {
        create: wanted.saturating_sub(existing.len()),
        destroy: existing.iter().skip(wanted).map(|vm| vm.id.clone()).collect(),
    }
}

/// The external system.
pub(super) struct Machines {
    folder: PathBuf,
}

impl Machines {
    pub(super) fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The machines of a group, oldest first.
    pub(super) fn of(&self, group: &str) -> Result<Vec<Vm>> {
        let mut vms = self.all()?;
        vms.retain(|vm| vm.group == group);
        Ok(vms)
    }

    /// The ids of all machines, oldest first.
    pub(super) fn ids(&self) -> Result<Vec<String>> {
        Ok(self.all()?.into_iter().map(|vm| vm.id).collect())
    }

    /// Makes a machine under the next free id.
    pub(super) fn create(&self, group: &str, shape: &Shape) -> Result<Vm> {
        fs::create_dir_all(&self.folder).context("failed to reach the external system")?;
        let mut number =
            self.all()?.iter().filter_map(|vm| number(&vm.id)).max().map_or(FIRST, |last| last + 1);
        loop {
            let vm = Vm { id: format!("vm-{number}"), group: group.to_owned(), shape: shape.clone() };
            match fs::File::create_new(self.file(&vm.id)) {
                Ok(mut file) => {
                    file.write_all(&serde_json::to_vec_pretty(&vm)?).context("failed to make a VM")?;
                    return Ok(vm);
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(error).context("failed to make a VM"),
            }
        }
    }

    /// Gives a machine another shape.
    pub(super) fn reshape(&self, vm: &Vm, shape: &Shape) -> Result<()> {
        let vm = Vm { shape: shape.clone(), ..vm.clone() };
        fs::write(self.file(&vm.id), serde_json::to_vec_pretty(&vm)?)
            .with_context(|| format!("failed to change {}", vm.id))
    }

    /// Destroys a machine; one that is gone already is fine.
    pub(super) fn destroy(&self, id: &str) -> Result<()> {
        match fs::remove_file(self.file(id)) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            done => done.with_context(|| format!("failed to destroy {id}")),
        }
    }

    fn all(&self) -> Result<Vec<Vm>> {
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.context("failed to reach the external system")?,
        };
        let mut vms = Vec::new();
        for entry in entries {
            let path = entry.context("failed to reach the external system")?.path();
            let bytes = fs::read(&path).with_context(|| format!("failed to read {}", path.display()))?;
            let vm: Vm =
                serde_json::from_slice(&bytes).with_context(|| format!("{} is no VM", path.display()))?;
            vms.push(vm);
        }
        vms.sort_by_key(|vm| number(&vm.id));
        Ok(vms)
    }

    fn file(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.json"))
    }
}

fn number(id: &str) -> Option<u32> {
    id.strip_prefix("vm-")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{Machines, Plan, Shape, plan};

    fn shape() -> Shape {
        Shape { cpu: 1, memory: 2, template: "ubuntu".to_owned() }
    }

    #[test]
    fn the_youngest_are_destroyed_first() {
        let folder = tempfile::tempdir().unwrap();
        let machines = Machines::new(folder.path().join("vms"));
        for _ in 0..3 {
            machines.create("shop/web", &shape()).unwrap();
        }
        machines.create("shop/other", &shape()).unwrap();
        let vms = machines.of("shop/web").unwrap();
        assert_eq!(
            vms.iter().map(|vm| vm.id.as_str()).collect::<Vec<_>>(),
            ["vm-1042", "vm-1043", "vm-1044"]
        );
        assert_eq!(plan(&vms, 3), Plan { create: 0, destroy: vec![] });
        assert_eq!(plan(&vms, 5), Plan { create: 2, destroy: vec![] });
        assert_eq!(plan(&vms, 1), Plan { create: 0, destroy: vec!["vm-1043".into(), "vm-1044".into()] });
    }

    #[test]
    fn destroying_twice_is_fine() {
        let folder = tempfile::tempdir().unwrap();
        let machines = Machines::new(folder.path().to_owned());
        let vm = machines.create("shop/web", &shape()).unwrap();
        machines.destroy(&vm.id).unwrap();
        machines.destroy(&vm.id).unwrap();
        assert!(machines.of("shop/web").unwrap().is_empty());
    }
}
