//! Colours under dark text: eight hues in four tones. The first eight are as far apart as eight
//! pale colours can be.

/// The hues in degrees, in an order in which neighbours differ.
const HUES: [u32; 8] = [210, 48, 125, 0, 275, 180, 25, 320];

/// The tones as percentages of saturation and lightness.
const TONES: [(u32, u32); 4] = [(85, 85), (45, 76), (50, 88), (70, 72)];

/// The number of colours.
pub const COLOURS: usize = HUES.len() * TONES.len();

/// The number of hues; the colours below this index have the first tone.
pub const HUES_ONLY: usize = HUES.len();

/// Colour `i` as CSS.
pub fn css(i: usize) -> String {
    let round = i / HUES.len() % TONES.len();
    let (hue, (saturation, lightness)) = (HUES[(i + 3 * round) % HUES.len()], TONES[round]);
    format!("hsl({hue},{saturation}%,{lightness}%)")
}

/// The colour of a thread: the threads of a warp have different colours, and so do the threads at
/// the same lane of the next warps.
pub fn of_thread(thread: i64) -> usize {
    ((thread + 5 * (thread / 32)) % COLOURS as i64) as usize
}
