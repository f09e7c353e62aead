//! Versions of an operator: v0.1.0, v0.2.0, and so on.

use std::fmt;

use crate::worlds::World;

/// One version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::worlds) struct Release(u32);

impl Release {
    pub(super) const FIRST: Self = Self(1);

    pub(super) fn next(self) -> Self {
        Self(self.0 + 1)
    }

    /// The one before; the first has none.
    pub(super) fn previous(self) -> Option<Self> {
        (self != Self::FIRST).then(|| Self(self.0 - 1))
    }

    pub(super) fn image(self, world: World) -> String {
        format!("example.com/{}:v{self}", world.names().operator)
    }

    /// Reads it from an image of ours; a sidecar's image has none.
    pub(super) fn of_image(image: &str) -> Option<Self> {
        let (_, tag) = image.strip_prefix("example.com/")?.split_once(":v0.")?;
        tag.strip_suffix(".0")?.parse().ok().map(Self)
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0.{}.0", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Release;
    use crate::worlds::World;

    #[test]
    fn a_release_is_read_from_its_image() {
        let second = Release::FIRST.next();
        assert_eq!(second.image(World::Website), "example.com/website-operator:v0.2.0");
        assert_eq!(Release::of_image(&second.image(World::Website)), Some(second));
        assert_eq!(Release::of_image("quay.io/brancz/kube-rbac-proxy:v0.18.0"), None);
    }
}
