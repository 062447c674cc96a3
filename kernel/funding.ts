/**
 * Processes of funding, four paths side by side (docs/accounts.md, "Funding that moves"); twin of src/core/account/funding.ts.
 *
 * From the normals of a block, or the log prices of an asset over it at PRICES: the rates of the hours that settle. A process is followed as its
 * distance from its mean; its numbers are those of src/core/account/in-units.ts.
 */
import { addressOf, constant, TWICE_LN2, ZERO } from './constants';
import { drawKeyedWords } from './extra';
import { GROUP_BYTES, VECTOR, VECTOR_SHIFT } from './lanes';
import {
  ANGLE_WORDS,
  BLOCK_BYTES,
  FACTOR,
  FACTOR_ROW_BYTES,
  NORMALS,
  PRICES,
  RADII,
  RADIUS_WORDS,
  SHOCKS,
} from './memory';
import { formCosines, formRadii, formSines } from './normal';

/** Places of a process: its asset, the rank of its stream, and bits of what it is. */
export const PROCESS_ASSET: usize = 0;
const RANK: usize = 4;
const KIND: usize = 8;
const PREMIUM: i32 = 1;
const LINEAR_WEIGHTS: i32 = 2;
const OF_RETURNS: i32 = 4;
/** Hours between settlements. */
const INTERVAL: usize = 12;
/** What makes a standardised return of a sum of normals, or of a return in base 2. */
const PER_MOVE: usize = 16;
const PHI: usize = 20;
const BY_RETURN: usize = 24;
const BY_NORMAL: usize = 28;
const MEAN: usize = 32;
const START: usize = 36;
const PER_WEIGHT: usize = 40;
const INTEREST: usize = 44;
const CLAMP: usize = 48;
const EIGHTS: usize = 52;
const CAP: usize = 56;
const LEAST: usize = 60;
const MOST: usize = 64;
/** Addresses of its state, two vectors, and of its rates over a block. */
const STATE: usize = 68;
const RATES: usize = 72;
export const PROCESS_BYTES: usize = 76;

/** Second key word of its normals: src/core/account/funding.ts. */
const FUNDING_KEY: i32 = 0x66756e64;
/** Largest size of an hour's standardised return that moves a premium. */
const MOST_RETURN: f32 = 5.0;
/** From the cosines of a block to its sines: hours 0 and 1 of four are cosines, 2 and 3 sines. */
const SINES: usize = BLOCK_BYTES / 2;

function within(value: v128, size: v128): v128 {
  return f32x4.pmin(f32x4.pmax(value, f32x4.sub(constant(ZERO), size)), size);
}

/** Puts a process to its start. */
export function beginProcess(process: usize): void {
  const state = load<usize>(process, STATE);
  v128.store(state, v128.load_splat<f32>(process, START));
  v128.store(state, constant(ZERO), VECTOR);
}

/** Writes the normals of a block of hours to SHOCKS, in the order of their words. */
function drawNormals(seed: i32, path: i32, rank: i32, hour: i32, bytes: usize): void {
  let to: usize = 0;
  for (let at: usize = 0; at < bytes; at += GROUP_BYTES) {
    drawKeyedWords(FUNDING_KEY, seed, path, hour >>> 2, rank, RADII);
    v128.store(RADIUS_WORDS + to, v128.load(RADII));
    v128.store(RADIUS_WORDS + to, v128.load(RADII, VECTOR), VECTOR);
    v128.store(ANGLE_WORDS + to, v128.load(RADII, 2 * VECTOR));
    v128.store(ANGLE_WORDS + to, v128.load(RADII, 3 * VECTOR), VECTOR);
    to += 2 * VECTOR;
    hour += 4;
  }
  const groups = <i32>((to + GROUP_BYTES - VECTOR) / GROUP_BYTES);
  formRadii(groups, addressOf(TWICE_LN2));
  formCosines(groups, addressOf(ZERO), SHOCKS);
  formSines(groups, SHOCKS + SINES);
}

/** The standardised return of the hour at `place` of the block. @param before log price before it */
function returnOf(process: usize, place: usize, before: v128): v128 {
  const perMove = v128.load_splat<f32>(process, PER_MOVE);
  if ((load<i32>(process, KIND) & OF_RETURNS) !== 0)
    return f32x4.mul(perMove, f32x4.sub(v128.load(PRICES + place), before));
  const asset = <usize>load<i32>(process, PROCESS_ASSET);
  const row = FACTOR + asset * FACTOR_ROW_BYTES;
  const end = row + (asset << VECTOR_SHIFT);
  let sum = constant(ZERO);
  let normals = NORMALS + place;
  for (let at = row; at <= end; at += VECTOR) {
    sum = f32x4.add(sum, f32x4.mul(v128.load(at), v128.load(normals)));
    normals += BLOCK_BYTES;
  }
  return f32x4.mul(perMove, sum);
}

/**
 * Follows a process over a block whose hours of its asset are walked last.
 *
 * @param hour hours before the block
 * @param start log price of the asset before it
 */
export function followProcess(
  process: usize,
  seed: i32,
  path: i32,
  hour: i32,
  bytes: usize,
  start: v128,
): void {
  drawNormals(seed, path, load<i32>(process, RANK), hour, bytes);
  const kind = load<i32>(process, KIND);
  const interval = load<i32>(process, INTERVAL);
  const phi = v128.load_splat<f32>(process, PHI);
  const byReturn = v128.load_splat<f32>(process, BY_RETURN);
  const byNormal = v128.load_splat<f32>(process, BY_NORMAL);
  const mean = v128.load_splat<f32>(process, MEAN);
  const cap = v128.load_splat<f32>(process, CAP);
  const rates = load<usize>(process, RATES);
  const state = load<usize>(process, STATE);
  let x = v128.load(state);
  let sum = v128.load(state, VECTOR);
  let before = start;
  for (let place: usize = 0; place < bytes; place += VECTOR) {
    const k = <i32>(place >> VECTOR_SHIFT);
    const sines = (k & 2) !== 0 ? SINES : 0;
    const y = v128.load(SHOCKS + sines + ((<usize>(2 * (k >>> 2) + (k & 1))) << VECTOR_SHIFT));
    const z = returnOf(process, place, before);
    before = v128.load(PRICES + place);
    const since = (hour + k) % interval;
    const settles = since === interval - 1;
    if ((kind & PREMIUM) !== 0) {
      const shock = f32x4.add(
        f32x4.mul(byReturn, within(z, f32x4.splat(MOST_RETURN))),
        f32x4.mul(byNormal, y),
      );
      x = f32x4.add(f32x4.mul(phi, x), shock);
      const weight: f32 = (kind & LINEAR_WEIGHTS) !== 0 ? <f32>(since + 1) : 1;
      sum = f32x4.add(sum, f32x4.mul(f32x4.splat(weight), x));
      if (settles) {
        const premium = f32x4.add(mean, f32x4.mul(v128.load_splat<f32>(process, PER_WEIGHT), sum));
        const interest = f32x4.sub(v128.load_splat<f32>(process, INTEREST), premium);
        const rate = f32x4.add(premium, within(interest, v128.load_splat<f32>(process, CLAMP)));
        v128.store(rates + place, within(f32x4.mul(v128.load_splat<f32>(process, EIGHTS), rate), cap));
        sum = constant(ZERO);
      }
    } else {
      sum = f32x4.add(sum, z);
      if (settles) {
        const shock = f32x4.add(f32x4.mul(byReturn, sum), f32x4.mul(byNormal, y));
        const moved = f32x4.add(f32x4.mul(phi, x), shock);
        const least = v128.load_splat<f32>(process, LEAST);
        x = f32x4.pmin(f32x4.pmax(moved, least), v128.load_splat<f32>(process, MOST));
        v128.store(rates + place, f32x4.add(mean, x));
        sum = constant(ZERO);
      }
    }
  }
  v128.store(state, x);
  v128.store(state, sum, VECTOR);
}
