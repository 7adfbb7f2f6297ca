//! Colours under dark text: eight hues in four tones. The first eight are as far apart as eight pale colours can be.

/// Degrees, in an order in which neighbours differ.
const HUES: [u32; 8] = [210, 48, 125, 0, 275, 180, 25, 320];

/// Percent of saturation and of lightness.
const TONES: [(u32, u32); 4] = [(85, 85), (45, 76), (50, 88), (70, 72)];

/// How many colours there are.
pub const COLOURS: usize = HUES.len() * TONES.len();

/// How many hues there are: colours below are of the first tone.
pub const HUES_ONLY: usize = HUES.len();

/// Colour `i` as CSS.
pub fn css(i: usize) -> String {
    let round = i / HUES.len() % TONES.len();
    let (hue, (saturation, lightness)) = (HUES[(i + 3 * round) % HUES.len()], TONES[round]);
    format!("hsl({hue},{saturation}%,{lightness}%)")
}

/// The colour of a thread: the threads of a warp differ, and those at the same lane of the next warps.
pub fn of_thread(thread: i64) -> usize {
    ((thread + 5 * (thread / 32)) % COLOURS as i64) as usize
}
