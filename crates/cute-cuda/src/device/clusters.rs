//! The GPCs of a device: groups of multiprocessors, one of which runs all blocks of a cluster.
//!
//! Chips of one product differ in which multiprocessors are switched off. For an H100 with 132
//! multiprocessors two observations are public: 120 blocks of a kernel in clusters of 8 run at
//! once, one per multiprocessor (cuBLAS's grid of 60 x 2 blocks, NVIDIA/cutlass issue 1921; the
//! placement of clusters on GPCs, accel-sim/gpu-app-collection pull request 87). So one of its
//! eight GPCs, which have at most 18 multiprocessors, has fewer than 16. RTX 50 and RTX PRO 6000
//! have GPCs of at most 16, 12 of them in the full chip (NVIDIA RTX Blackwell white paper).

use super::Device;

impl Device {
    /// The multiprocessors of each GPC. A number that is not the device's own is dealt out in pairs
    /// to as few GPCs as can hold it.
    ///
    /// ```
    /// use cute_cuda::device::{self, Device};
    /// let h100 = device::named("h100").unwrap();
    /// assert_eq!(h100.groups(), [16, 16, 16, 16, 18, 18, 18, 14]);
    /// assert_eq!(Device { multiprocessors: 33, ..h100 }.groups(), [17, 16]);
    /// ```
    pub fn groups(&self) -> Vec<u32> {
        let own: u32 = self.gpcs.iter().sum();
        let Some(most) = self.gpcs.iter().max().filter(|_| own != self.multiprocessors) else {
            return self.gpcs.to_vec();
        };
        let (pairs, odd) = (self.multiprocessors / 2, self.multiprocessors % 2);
        let groups = self.multiprocessors.div_ceil(*most).max(1);
        let mut all: Vec<u32> =
            (0..groups).map(|group| 2 * (pairs / groups + u32::from(group < pairs % groups))).collect();
        if let Some(smallest) = all.iter_mut().min() {
            *smallest += odd;
        }
        all.sort_unstable_by(|a, b| b.cmp(a));
        all
    }

    /// The number of clusters of this many blocks that run at once, if each multiprocessor holds
    /// `each` blocks.
    ///
    /// ```
    /// use cute_cuda::device;
    /// let h100 = device::named("h100").unwrap();
    /// assert_eq!([1, 2, 4, 8, 16].map(|blocks| h100.clusters(blocks, 1)), [132, 66, 31, 15, 7]);
    /// ```
    pub fn clusters(&self, blocks: u64, each: u64) -> u64 {
        let groups = self.groups();
        groups.iter().map(|own| u64::from(*own) * each / blocks.max(1)).sum()
    }
}

/// The devices that have clusters.
#[cfg(test)]
pub(crate) fn with_clusters() -> impl Iterator<Item = &'static Device> {
    super::known().iter().filter(|device| !device.gpcs.is_empty())
}

#[cfg(test)]
mod tests {
    use cute_arch::Feature;

    use super::*;
    use crate::device::known;

    #[test]
    fn devices_with_clusters_have_gpcs_and_these_have_all_multiprocessors() {
        for device in known() {
            assert_eq!(device.target.has(Feature::Clusters), !device.gpcs.is_empty(), "{device:?}");
        }
        for device in with_clusters() {
            assert_eq!(device.gpcs.iter().sum::<u32>(), device.multiprocessors, "{device:?}");
        }
    }

    #[test]
    fn any_number_of_multiprocessors_is_dealt_out_to_gpcs_of_possible_sizes() {
        for device in with_clusters() {
            let most = *device.gpcs.iter().max().unwrap();
            for multiprocessors in 1..=300 {
                let groups = Device { multiprocessors, ..device.clone() }.groups();
                assert_eq!(groups.iter().sum::<u32>(), multiprocessors, "{groups:?}");
                assert!(groups.iter().all(|own| *own <= most + 1), "{multiprocessors}: {groups:?}");
            }
        }
    }
}
