//! The worlds and distances that are measured, in the order of measuring.

use std::fmt;
use std::time::Duration;

/// One world, seen from one distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Scene {
    /// Namespaced kinds of the server, its own among them.
    pub(crate) kinds: usize,
    /// Objects in the namespace, the tree among them.
    pub(crate) objects: usize,
    /// Added to the way to the server.
    pub(crate) round_trip: Duration,
}

/// What the flags ask for.
#[derive(Clone, Debug)]
pub(crate) struct Wish {
    pub(crate) objects: Vec<usize>,
    pub(crate) kinds: Vec<usize>,
    pub(crate) round_trips: Vec<Duration>,
}

impl Scene {
    /// The world of most of the targets.
    pub(crate) const USUAL: Self = Self::near(10_000, 230);
    /// The same with a tenth of the objects.
    pub(crate) const SMALL: Self = Self::near(1_000, 230);
    /// A namespace where the peers need minutes and gigabytes.
    pub(crate) const LARGE: Self = Self::near(50_000, 230);

    pub(crate) const fn near(objects: usize, kinds: usize) -> Self {
        Self { kinds, objects, round_trip: Duration::ZERO }
    }

    /// Where its objects live. Another number of kinds has a namespace of its own: kinds are only ever added, and
    /// the objects are spread over those that there are.
    pub(crate) fn namespace(self) -> String {
        format!("big{}", self.kinds)
    }
}

impl fmt::Display for Scene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} objects, {} kinds", self.objects, self.kinds)?;
        if !self.round_trip.is_zero() {
            write!(f, ", {} ms away", self.round_trip.as_millis())?;
        }
        Ok(())
    }
}

impl Wish {
    /// Its scenes, growing: neither objects nor kinds are ever taken away. Distance is added to the largest world
    /// only.
    pub(crate) fn scenes(&self) -> Vec<Scene> {
        let largest = self.objects.iter().copied().max();
        let mut scenes = Vec::new();
        for kinds in self.kinds.iter().copied() {
            for objects in self.objects.iter().copied() {
                let near = Scene::near(objects, kinds);
                scenes.push(near);
                if Some(objects) == largest {
                    scenes.extend(self.round_trips.iter().map(|time| Scene { round_trip: *time, ..near }));
                }
            }
        }
        scenes.sort_unstable();
        scenes.dedup();
        scenes
    }
}

/// What `--full` adds to the usual scenes: the large world, few kinds and many.
pub(crate) fn with_extremes(mut scenes: Vec<Scene>) -> Vec<Scene> {
    scenes.extend([Scene::LARGE, Scene::near(10_000, 30), Scene::near(10_000, 1_000)]);
    scenes.sort_unstable();
    scenes.dedup();
    scenes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usual() -> Vec<Scene> {
        let round_trips = [80, 20].map(Duration::from_millis).to_vec();
        Wish { objects: vec![10_000, 1_000], kinds: vec![230], round_trips }.scenes()
    }

    fn said(scenes: &[Scene]) -> Vec<String> {
        scenes.iter().map(Scene::to_string).collect()
    }

    #[test]
    fn a_world_grows_and_only_the_largest_is_seen_from_afar() {
        let expected = [
            "1000 objects, 230 kinds",
            "10000 objects, 230 kinds",
            "10000 objects, 230 kinds, 20 ms away",
            "10000 objects, 230 kinds, 80 ms away",
        ];
        assert_eq!(said(&usual()), expected);
    }

    #[test]
    fn the_extremes_stand_where_nothing_has_to_be_taken_away() {
        let all = with_extremes(usual());
        assert_eq!(all.first(), Some(&Scene::near(10_000, 30)));
        assert_eq!(all[5], Scene::LARGE);
        assert_eq!(all.last(), Some(&Scene::near(10_000, 1_000)));
        assert_eq!(with_extremes(all.clone()), all);
    }
}
