/**
 * Years of variance up to each horizon of value at risk under Student's t: the parts of the days between, each times its day's W.
 *
 * From EXTRA_WORDS of extra.ts, the table of multipliers, and the parts of days behind it, written by the host: years of each step, and their
 * roots.
 */

import { drawExtraWords } from './extra';
import { VECTOR, VECTOR_SHIFT } from './lanes';
import { MULTIPLIERS } from './memory';
import { formMultipliers } from './multiplier';

/** Bytes of the multiplier's table: 1,024 rows of four coefficients. */
const MULTIPLIER_TABLE_BYTES: usize = 1024 * 16;
/** A part of a day: day, horizon (below 0 behind the last part), years. */
const PART_BYTES: usize = 16;

/** Writes `bytes` bytes of vectors to `years` and `roots` for a packet. */
export function formYears(
  table: usize,
  seed: i32,
  path: i32,
  bytes: usize,
  years: usize,
  roots: usize,
): void {
  memory.fill(years, 0, bytes);
  let day = -1;
  for (let part = table + MULTIPLIER_TABLE_BYTES; i32.load(part, 4) >= 0; part += PART_BYTES) {
    const next = i32.load(part);
    if (next !== day) {
      day = next;
      if ((day & 3) === 0) drawExtraWords(seed, path, day >>> 2);
      formMultipliers(table, (<usize>(day & 3)) << VECTOR_SHIFT, 0);
    }
    const at = years + ((<usize>i32.load(part, 4)) << VECTOR_SHIFT);
    const weighted = f32x4.mul(v128.load(MULTIPLIERS), f32x4.splat(f32.load(part, 8)));
    v128.store(at, f32x4.add(v128.load(at), weighted));
  }
  for (let at: usize = 0; at < bytes; at += VECTOR) v128.store(roots + at, f32x4.sqrt(v128.load(years + at)));
}
