/**
 * The multiplier of a day's variance under Student's t, one for each path of the packet, at most MULTIPLIER_CAP, from EXTRA_WORDS by a table of
 * cubics; twin of src/core/random/multiplier-table.ts.
 */
import { VECTOR } from './lanes';
import { EXTRA_WORDS, MULTIPLIER_CAP, MULTIPLIERS } from './memory';

/** Bits of a segment of an octave, and octaves of a half of (0, 1). */
const SEGMENT_BITS: i32 = 4;
const OCTAVES: i32 = 32;
const OFFSET_BITS: i32 = 31 - SEGMENT_BITS;
const OFFSET_SCALE: f32 = 7.450580596923828e-9;

/** Writes W of the day whose words are at `wordsAt` and its root to `place`. */
export function formMultipliers(table: usize, wordsAt: usize, place: usize): void {
  for (let lane: usize = 0; lane < VECTOR; lane += 4) {
    f32.store(MULTIPLIERS + place + lane, ofWord(table, i32.load(EXTRA_WORDS + wordsAt + lane)));
  }
  const w = f32x4.pmin(v128.load(MULTIPLIERS + place), v128.load(MULTIPLIER_CAP));
  v128.store(MULTIPLIERS + place, w);
  v128.store(MULTIPLIERS + place, f32x4.sqrt(w), VECTOR);
}

function ofWord(table: usize, word: i32): f32 {
  const upper = word >> 31;
  // Distance from the nearer end in units of 2^-33, always odd.
  const distance = ((word ^ upper) << 1) | 1;
  const zeros = clz<i32>(distance);
  const shifted = distance << zeros;
  const segment = (shifted >>> OFFSET_BITS) & ((1 << SEGMENT_BITS) - 1);
  const row = (((upper & OCTAVES) + zeros) << SEGMENT_BITS) + segment;
  const at = table + ((<usize>row) << 4);
  const d = <f32>(shifted & ((1 << OFFSET_BITS) - 1)) * OFFSET_SCALE;
  return f32.load(at) + d * (f32.load(at, 4) + d * (f32.load(at, 8) + d * f32.load(at, 12)));
}
