//! Keeps labs that run at the same time apart: each holds a slot, which gives it ports and Service addresses.

use std::fs::File;
use std::net::TcpListener;

use anyhow::{Context as _, Result};

/// Ports below the range that the kernel hands to outgoing connections, so that none is taken between the
/// look and the use.
const FIRST_PORT: u16 = 20_000;
const PORTS: u16 = 16;

/// A number that no other lab of this machine has.
pub(crate) struct Slot {
    number: u8,
    _lock: File,
}

impl Slot {
    /// Takes the first free one.
    pub(crate) fn take() -> Result<Self> {
        let folder = std::env::temp_dir().join("kubectl-op-lab-slots");
        std::fs::create_dir_all(&folder).with_context(|| format!("failed to create {}", folder.display()))?;
        for number in 0..=u8::MAX {
            let path = folder.join(number.to_string());
            let lock = File::options()
                .create(true)
                .truncate(false)
                .write(true)
                .open(&path)
                .with_context(|| format!("failed to open {}", path.display()))?;
            // Held until the file is closed, also when the process is killed.
            if lock.try_lock().is_ok() {
                let slot = Self { number, _lock: lock };
                if slot.is_quiet() {
                    return Ok(slot);
                }
            }
        }
        anyhow::bail!("256 labs are running: {} is full", folder.display())
    }

    /// The lab's ports on 127.0.0.1.
    pub(crate) fn ports<const N: usize>(&self) -> [u16; N] {
        const { assert!(N <= PORTS as usize, "a slot has 16 ports") };
        std::array::from_fn(|index| self.first_port() + u16::try_from(index).unwrap_or_default())
    }

    /// The range of its Services: loopback, so that the API server never dials another machine.
    pub(crate) fn service_range(&self) -> String {
        format!("127.9.{}.0/24", self.number)
    }

    fn first_port(&self) -> u16 {
        FIRST_PORT + PORTS * u16::from(self.number)
    }

    /// Whether all its ports are free: the processes of a lab that was killed run a moment longer.
    fn is_quiet(&self) -> bool {
        (0..PORTS).all(|index| TcpListener::bind(("127.0.0.1", self.first_port() + index)).is_ok())
    }
}
