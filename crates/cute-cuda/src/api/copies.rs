//! Copies and sets in two and three dimensions.

use std::ffi::{c_int, c_uint};

use crate::{
    api::{
        memory::{Given, allocate, copy_parts, set_parts},
        non_null, write,
    },
    error::{Error, Result},
    functions,
    memory::Kind,
    parts::Part,
};

/// The alignment of rows.
const PITCH: usize = 512;

/// `cudaPitchedPtr`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Pitched {
    at: u64,
    pitch: usize,
    width: usize,
    height: usize,
}

/// `cudaExtent`, and `cudaPos`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Three {
    extents: [usize; 3],
}

/// `cudaMemcpy3DParms`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Copy3 {
    from_array: usize,
    from_at: Three,
    from: Pitched,
    to_array: usize,
    to_at: Three,
    to: Pitched,
    extent: Three,
    kind: c_int,
}

/// `cudaMemcpy3DPeerParms`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
struct PeerCopy3 {
    from_array: usize,
    from_at: Three,
    from: Pitched,
    from_device: c_int,
    to_array: usize,
    to_at: Three,
    to: Pitched,
    to_device: c_int,
    extent: Three,
}

/// A side of `CUDA_MEMCPY2D`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
struct Side2 {
    at: [usize; 2],
    kind: c_uint,
    host: u64,
    device: u64,
    array: usize,
    pitch: usize,
}

/// `CUDA_MEMCPY2D`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
struct DriverCopy2 {
    from: Side2,
    to: Side2,
    extents: [usize; 2],
}

/// A side of `CUDA_MEMCPY3D` and of `CUDA_MEMCPY3D_PEER`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
struct Side3 {
    at: [usize; 3],
    level: usize,
    kind: c_uint,
    host: u64,
    device: u64,
    array: usize,
    context: usize,
    pitch: usize,
    height: usize,
}

/// `CUDA_MEMCPY3D`, and `CUDA_MEMCPY3D_PEER`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct DriverCopy3 {
    from: Side3,
    to: Side3,
    extents: [usize; 3],
}

/// A copy: the target, the source, and the bytes, rows and slices.
pub(super) type Parts = (Part, Part, [usize; 3]);

fn part(memory: Pitched, at: Three) -> Result<Part> {
    let [x, y, z] = at.extents;
    let slice = memory.pitch.checked_mul(memory.height).ok_or(Error::INVALID_VALUE)?;
    let skipped = z.wrapping_mul(slice).wrapping_add(y.wrapping_mul(memory.pitch)).wrapping_add(x);
    Ok(Part { at: memory.at.wrapping_add(skipped as u64), pitch: memory.pitch, slice })
}

/// The place of a part in a structure, of which the height is known only where there are slices.
fn pitched(part: Part, [width, height, _]: [usize; 3]) -> Pitched {
    let height = if part.pitch == 0 || part.slice == 0 { height } else { part.slice / part.pitch };
    Pitched { at: part.at, pitch: part.pitch, width, height }
}

impl Copy3 {
    /// # Errors
    /// [`Error::NOT_SUPPORTED`] for arrays, and [`Error::INVALID_VALUE`].
    pub(super) fn parts(&self) -> Result<Parts> {
        if self.from_array != 0 || self.to_array != 0 {
            return Err(Error::NOT_SUPPORTED);
        }
        if !(0..=4).contains(&self.kind) {
            return Err(Error::INVALID_MEMCPY_DIRECTION);
        }
        Ok((part(self.to, self.to_at)?, part(self.from, self.from_at)?, self.extent.extents))
    }

    /// The structure for a copy.
    pub(super) fn of((to, from, extents): Parts) -> Self {
        let (to, from) = (pitched(to, extents), pitched(from, extents));
        Self { to, from, extent: Three { extents }, kind: 4, ..Self::default() }
    }
}

impl PeerCopy3 {
    fn parts(&self) -> Result<Parts> {
        let Self { from_array, from_at, from, to_array, to_at, to, extent, .. } = *self;
        Copy3 { from_array, from_at, from, to_array, to_at, to, extent, kind: 4 }.parts()
    }
}

/// `CUmemorytype`: of the host, of the device, an array, or told by the address.
fn address(kind: c_uint, host: u64, device: u64) -> Result<u64> {
    match kind {
        1 => Ok(host),
        2 | 4 => Ok(device),
        3 => Err(Error::NOT_SUPPORTED),
        _ => Err(Error::INVALID_VALUE),
    }
}

impl Side3 {
    fn part(&self, [width, height, _]: [usize; 3]) -> Result<Part> {
        let at = address(self.kind, self.host, self.device)?;
        // Where there is one row, or one slice, its distance to the next one may be left out.
        let pitch =
            if self.pitch == 0 && height <= 1 { width.saturating_add(self.at[0]) } else { self.pitch };
        let rows = if self.height == 0 { height } else { self.height };
        part(Pitched { at, pitch, width, height: rows }, Three { extents: self.at })
    }

    fn of(part: Part, extents: [usize; 3]) -> Self {
        let Pitched { at, pitch, height, .. } = pitched(part, extents);
        Self { kind: 4, device: at, pitch, height, ..Self::default() }
    }
}

impl DriverCopy3 {
    /// # Errors
    /// [`Error::NOT_SUPPORTED`] for arrays, and [`Error::INVALID_VALUE`].
    pub(super) fn parts(&self) -> Result<Parts> {
        Ok((self.to.part(self.extents)?, self.from.part(self.extents)?, self.extents))
    }

    /// The structure for a copy.
    pub(super) fn of((to, from, extents): Parts) -> Self {
        Self { to: Side3::of(to, extents), from: Side3::of(from, extents), extents }
    }
}

impl DriverCopy2 {
    fn parts(&self) -> Result<Parts> {
        let [width, height] = self.extents;
        let side = |side: &Side2| Side3 {
            at: [side.at[0], side.at[1], 0],
            kind: side.kind,
            host: side.host,
            device: side.device,
            pitch: side.pitch,
            ..Side3::default()
        };
        DriverCopy3 { from: side(&self.from), to: side(&self.to), extents: [width, height, 1] }.parts()
    }
}

/// Reads a structure of the program.
///
/// # Errors
/// [`Error::INVALID_VALUE`] for the null pointer.
pub(super) fn read<T: Copy>(at: *const T) -> Result<T> {
    let at = non_null(at.cast_mut())?;
    // SAFETY: the program passes a structure of this type.
    Ok(unsafe { at.read_unaligned() })
}

fn copy(parts: Result<Parts>, given: Given) -> Result<()> {
    let (to, from, extents) = parts?;
    copy_parts(to, from, extents, given)
}

fn set(to: Pitched, value: c_int, extent: Three, given: Given) -> Result<()> {
    set_parts(part(to, Three::default())?, &[value as u8], extent.extents, given)
}

fn set_rows<const N: usize>(
    to: u64,
    pitch: usize,
    element: [u8; N],
    extents: [usize; 2],
    given: Given,
) -> Result<()> {
    let [width, height] = extents;
    set_parts(Part::of_rows(to, pitch), &element, [width, height, 1], given)
}

/// Allocates rows that begin at multiples of [`PITCH`].
fn allocate_rows(to: *mut u64, pitch: *mut usize, width: usize, rows: Option<usize>) -> Result<()> {
    non_null(to)?;
    let row = width.checked_next_multiple_of(PITCH).ok_or(Error::OUT_OF_MEMORY)?;
    write(pitch, row)?;
    let bytes = rows.and_then(|rows| row.checked_mul(rows));
    allocate(to, Kind::Device, bytes.ok_or(Error::OUT_OF_MEMORY)?)
}

functions! {
    fn cudaMallocPitch(to: *mut u64, pitch: *mut usize, width: usize, height: usize) {
        allocate_rows(to, pitch, width, Some(height))
    }
    fn cudaMalloc3D(to: *mut Pitched, extent: Three) {
        let to = non_null(to)?;
        let [width, height, depth] = extent.extents;
        let (mut at, mut pitch) = (0, 0);
        allocate_rows(&raw mut at, &raw mut pitch, width, height.checked_mul(depth))?;
        write(to, Pitched { at, pitch, width, height })
    }
    fn cudaMemcpy3D(given: *const Copy3) { copy(read(given)?.parts(), ("cudaMemcpy3D", 0, false)) }
    fn cudaMemcpy3DAsync(given: *const Copy3, stream: usize) {
        copy(read(given)?.parts(), ("cudaMemcpy3DAsync", stream, true))
    }
    fn cudaMemcpy3DPeer(given: *const PeerCopy3) { copy(read(given)?.parts(), ("cudaMemcpy3DPeer", 0, false)) }
    fn cudaMemcpy3DPeerAsync(given: *const PeerCopy3, stream: usize) {
        copy(read(given)?.parts(), ("cudaMemcpy3DPeerAsync", stream, true))
    }
    fn cudaMemset3D(to: Pitched, value: c_int, extent: Three) { set(to, value, extent, ("cudaMemset3D", 0, false)) }
    fn cudaMemset3DAsync(to: Pitched, value: c_int, extent: Three, stream: usize) {
        set(to, value, extent, ("cudaMemset3DAsync", stream, true))
    }
    fn cuMemAllocPitch_v2(to: *mut u64, pitch: *mut usize, width: usize, height: usize, element: c_uint) {
        if width == 0 || height == 0 || ![4, 8, 16].contains(&element) {
            return Err(Error::INVALID_VALUE);
        }
        allocate_rows(to, pitch, width, Some(height))
    }
    fn cuMemcpy2D_v2(given: *const DriverCopy2) { copy(read(given)?.parts(), ("cuMemcpy2D", 0, false)) }
    fn cuMemcpy2DUnaligned_v2(given: *const DriverCopy2) {
        copy(read(given)?.parts(), ("cuMemcpy2DUnaligned", 0, false))
    }
    fn cuMemcpy2DAsync_v2(given: *const DriverCopy2, stream: usize) {
        copy(read(given)?.parts(), ("cuMemcpy2DAsync", stream, true))
    }
    fn cuMemcpy3D_v2(given: *const DriverCopy3) { copy(read(given)?.parts(), ("cuMemcpy3D", 0, false)) }
    fn cuMemcpy3DAsync_v2(given: *const DriverCopy3, stream: usize) {
        copy(read(given)?.parts(), ("cuMemcpy3DAsync", stream, true))
    }
    fn cuMemcpy3DPeer(given: *const DriverCopy3) { copy(read(given)?.parts(), ("cuMemcpy3DPeer", 0, false)) }
    fn cuMemcpy3DPeerAsync(given: *const DriverCopy3, stream: usize) {
        copy(read(given)?.parts(), ("cuMemcpy3DPeerAsync", stream, true))
    }
    fn cuMemsetD2D8_v2(to: u64, pitch: usize, value: u8, width: usize, height: usize) {
        set_rows(to, pitch, [value], [width, height], ("cuMemsetD2D8", 0, false))
    }
    fn cuMemsetD2D16_v2(to: u64, pitch: usize, value: u16, width: usize, height: usize) {
        set_rows(to, pitch, value.to_le_bytes(), [width, height], ("cuMemsetD2D16", 0, false))
    }
    fn cuMemsetD2D32_v2(to: u64, pitch: usize, value: u32, width: usize, height: usize) {
        set_rows(to, pitch, value.to_le_bytes(), [width, height], ("cuMemsetD2D32", 0, false))
    }
    fn cuMemsetD2D8Async(to: u64, pitch: usize, value: u8, width: usize, height: usize, stream: usize) {
        set_rows(to, pitch, [value], [width, height], ("cuMemsetD2D8Async", stream, true))
    }
    fn cuMemsetD2D16Async(to: u64, pitch: usize, value: u16, width: usize, height: usize, stream: usize) {
        set_rows(to, pitch, value.to_le_bytes(), [width, height], ("cuMemsetD2D16Async", stream, true))
    }
    fn cuMemsetD2D32Async(to: u64, pitch: usize, value: u32, width: usize, height: usize, stream: usize) {
        set_rows(to, pitch, value.to_le_bytes(), [width, height], ("cuMemsetD2D32Async", stream, true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::tests::alone;

    /// The sizes are those of gcc 12 for the headers of CUDA 12.9 and 13.0, which agree.
    #[test]
    fn structures_have_the_sizes_of_the_headers() {
        let own =
            [size_of::<Copy3>(), size_of::<PeerCopy3>(), size_of::<DriverCopy2>(), size_of::<DriverCopy3>()];
        assert_eq!(own, [160, 168, 128, 200]);
    }

    #[test]
    fn a_box_is_copied_out_of_pitched_memory() {
        let _turn = alone();
        let mut all = Pitched::default();
        let extents = |x, y, z| Three { extents: [x, y, z] };
        let mut host = [0_u8; 2 * 2 * 3];
        unsafe {
            assert_eq!(cudaMalloc3D(&raw mut all, extents(10, 4, 3)), 0);
            assert_eq!((all.pitch, all.width, all.height), (512, 10, 4));
            assert_eq!(cudaMemset3D(all, 1, extents(10, 4, 3)), 0);
            let inner = Pitched { at: all.at + 512 + 1, ..all };
            assert_eq!(cudaMemset3D(inner, 7, extents(2, 1, 2)), 0);
            let to = Pitched { at: host.as_mut_ptr() as u64, pitch: 3, width: 3, height: 2 };
            let given = Copy3 {
                from: all,
                from_at: extents(0, 1, 0),
                to,
                extent: extents(3, 2, 2),
                kind: 2,
                ..Copy3::default()
            };
            assert_eq!(cudaMemcpy3D(&raw const given), 0);
            assert_eq!(host, [1, 7, 7, 1, 1, 1, 1, 7, 7, 1, 1, 1]);
            let wide = Copy3 { extent: extents(3, 2, 9), ..given };
            assert_eq!(cudaMemcpy3D(&raw const wide), 1, "it goes beyond the memory");
            let narrow = Copy3 { extent: extents(4, 2, 2), ..given };
            assert_eq!(cudaMemcpy3D(&raw const narrow), 12);
            assert_eq!(cudaMemcpy3D(std::ptr::null()), 1);
            assert_eq!(cudaMemcpy3D(&Copy3 { from_array: 16, ..given }), 801);
        }
        crate::state::with(|state| state.free(all.at, None)).unwrap();
    }

    #[test]
    fn the_driver_copies_rows() {
        let _turn = alone();
        crate::api::answer("cuInit", || Ok(()));
        let (mut at, mut pitch) = (0, 0);
        let from: [u8; 6] = [1, 2, 3, 4, 5, 6];
        let mut to = [0_u8; 4];
        unsafe {
            assert_eq!(cuMemAllocPitch_v2(&raw mut at, &raw mut pitch, 3, 2, 4), 0);
            let host = |at: u64, pitch| Side2 { at: [0, 0], kind: 1, host: at, device: 0, array: 0, pitch };
            let device = |x| Side2 { at: [x, 0], kind: 2, host: 0, device: at, array: 0, pitch };
            let put = DriverCopy2 { from: host(from.as_ptr() as u64, 3), to: device(0), extents: [3, 2] };
            let get = DriverCopy2 { from: device(1), to: host(to.as_mut_ptr() as u64, 2), extents: [2, 2] };
            assert_eq!([cuMemcpy2D_v2(&raw const put), cuMemcpy2DUnaligned_v2(&raw const get)], [0; 2]);
            assert_eq!(to, [2, 3, 5, 6]);
            assert_eq!(cuMemsetD2D16_v2(at, pitch, 0x0908, 1, 2), 0);
            assert_eq!(cuMemcpy2D_v2(&DriverCopy2 { from: device(0), ..get }), 0);
            assert_eq!(to, [8, 9, 8, 9]);
        }
        crate::state::with(|state| state.free(at, None)).unwrap();
    }
}
