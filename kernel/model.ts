/**
 * The market models of the kernel: the beginning of a path and of a block, and log prices of an asset in base 2 at PRICES. A model's number and
 * tables are from `configureModel`, its parameters in memory. What depends on the model is a switch with a case for every model, which
 * test/core/simd/model-cases.test.ts checks.
 */

import { beginRowHorizons, drawRow, placeDrifts, walkDayRows, walkHourRows, walkRowsTo } from './bootstrap';
import { walkDay, walkPairDay } from './day-walk';
import { formYears } from './day-years';
import { drawExtraWords } from './extra';
import { beginFilteredHorizons, drawDay, placeCumulants, walkFiltered, walkFilteredTo } from './filtered';
import { walkGbm } from './gbm';
import { walkGains } from './horizons';
import { GROUP_SHIFT, VECTOR, VECTOR_SHIFT } from './lanes';
import {
  ALPHA,
  BETA,
  DAY_BYTES,
  DAY_ROOTS,
  DAY_STEPS,
  DAY_SUM,
  DRIFT,
  FIRST_VARIANCE,
  LOG_PRICE,
  MULTIPLIERS,
  OMEGA,
  PAIR,
  SCALE,
  VARIANCE,
} from './memory';
import {
  MODEL_BOOTSTRAP_DAYS,
  MODEL_BOOTSTRAP_HOURS,
  MODEL_FILTERED,
  MODEL_GARCH,
  MODEL_GBM,
  MODEL_STUDENT_T,
} from './model-numbers';
import { formMultipliers } from './multiplier';
import { PAIR_DRIFT, walkPair } from './pair';
import { placeRows } from './rows';

const PER_HOUR: f32 = 1.0 / 24.0;
const LN2: f32 = <f32>Math.LN2;
/** Vectors of a day at MULTIPLIERS: W and its root. */
const MULTIPLIER_BYTES: usize = 2 * VECTOR;

let model: i32;
let seed: i32;
let assets: i32;
let table: usize;
/** First step of the block. */
let first: i32;

/** Sets the model of the parameters in memory. @param tableAt address of its table, if it has one */
export function configureModel(kind: i32, tableAt: usize): void {
  model = kind;
  table = tableAt;
}

/**
 * Sets the table of a model that draws rows: an array of `count` rows for each asset.
 *
 * @param besideAt where its other table begins: cumulants, or drifts of `driftCount` rows
 * @param threshold a word below this begins a new block of rows; 0: every word does
 */
export function configureRows(count: i32, besideAt: usize, driftCount: i32, threshold: i32): void {
  placeRows(table, count, threshold);
  switch (model) {
    case MODEL_GBM:
    case MODEL_STUDENT_T:
    case MODEL_GARCH:
      break;
    case MODEL_FILTERED:
      placeCumulants(besideAt);
      break;
    case MODEL_BOOTSTRAP_DAYS:
    case MODEL_BOOTSTRAP_HOURS:
      placeDrifts(besideAt, driftCount);
      break;
  }
}

/** Whether ln(C/L) of a pair of single assets is one walk on a projection of its normals. */
export function ratioIsOneWalk(): bool {
  switch (model) {
    case MODEL_GBM:
    case MODEL_STUDENT_T:
      return true;
    case MODEL_GARCH:
    case MODEL_FILTERED:
    case MODEL_BOOTSTRAP_DAYS:
    case MODEL_BOOTSTRAP_HOURS:
      return false;
  }
  return false;
}

/** Whether the hours of a path, or its horizons, need normals. */
export function usesNormals(horizons: bool): bool {
  switch (model) {
    case MODEL_GBM:
    case MODEL_STUDENT_T:
    case MODEL_GARCH:
    case MODEL_FILTERED:
      return true;
    case MODEL_BOOTSTRAP_DAYS:
      return !horizons;
    case MODEL_BOOTSTRAP_HOURS:
      return false;
  }
  return true;
}

/** Puts the packet to the beginning of its paths. */
export function beginModel(planSeed: i32, planAssets: i32): void {
  seed = planSeed;
  assets = planAssets;
  for (let i = 0; i < assets; i++) {
    const at = (<usize>i) << VECTOR_SHIFT;
    v128.store(LOG_PRICE + at, f32x4.splat(0));
    v128.store(VARIANCE + at, v128.load(FIRST_VARIANCE + at));
  }
}

/** Prepares the days, or the hours, of a block of `count` steps. */
export function beginBlock(path: i32, step: i32, count: i32): void {
  first = step;
  const end = step + count;
  let place: usize = 0;
  switch (model) {
    case MODEL_GBM:
    case MODEL_GARCH:
      break;
    case MODEL_STUDENT_T:
      for (let from = step; from < end; from += DAY_STEPS, place += MULTIPLIER_BYTES)
        drawMultipliers(path, from / DAY_STEPS, place);
      break;
    case MODEL_FILTERED:
      for (let from = step; from < end; from += DAY_STEPS, place += VECTOR)
        drawDay(seed, path, from / DAY_STEPS, place);
      break;
    case MODEL_BOOTSTRAP_DAYS:
      for (let from = step; from < end; from += DAY_STEPS, place += VECTOR)
        drawRow(seed, path, from / DAY_STEPS, place);
      break;
    case MODEL_BOOTSTRAP_HOURS:
      for (let hour = step; hour < end; hour++, place += VECTOR) drawRow(seed, path, hour, place);
      break;
  }
}

function drawMultipliers(path: i32, day: i32, place: usize): void {
  if ((day & 3) === 0) drawExtraWords(seed, path, day >>> 2);
  formMultipliers(table, (<usize>(day & 3)) << VECTOR_SHIFT, place);
}

/** Moves the packet before its first horizon; writes the years of the steps and their roots, if these are drawn. */
export function beginHorizons(path: i32, bytes: usize, years: usize, roots: usize): void {
  switch (model) {
    case MODEL_GBM:
    case MODEL_GARCH:
      break;
    case MODEL_STUDENT_T:
      formYears(table, seed, path, bytes, years, roots);
      break;
    case MODEL_FILTERED:
      beginFilteredHorizons(seed, path);
      break;
    case MODEL_BOOTSTRAP_DAYS:
    case MODEL_BOOTSTRAP_HOURS:
      beginRowHorizons();
      break;
  }
}

/**
 * Adds the gains at `count` horizons of a block to the vectors at `collateral` and `loan`.
 *
 * @param steps to each horizon: a vector of years and, at `roots`, of their roots; or those of filtered.ts and bootstrap.ts
 */
export function walkHorizons(
  path: i32,
  count: i32,
  steps: usize,
  roots: usize,
  collateral: usize,
  loan: usize,
): void {
  const bytes = (<usize>count) << VECTOR_SHIFT;
  switch (model) {
    case MODEL_GBM:
    case MODEL_STUDENT_T:
    case MODEL_GARCH:
      walkGains(assets, (<usize>((count + 3) >>> 2)) << GROUP_SHIFT, steps, roots, collateral, loan);
      break;
    case MODEL_FILTERED:
      for (let place: usize = 0; place < bytes; place += VECTOR)
        walkFilteredTo(seed, path, assets, steps + place, place, collateral + place, loan + place);
      break;
    case MODEL_BOOTSTRAP_DAYS:
    case MODEL_BOOTSTRAP_HOURS:
      for (let place: usize = 0; place < bytes; place += VECTOR)
        walkRowsTo(seed, path, assets, i32.load(steps + place), collateral + place, loan + place);
      break;
  }
}

/** Writes the log prices of one asset over `bytes` of a block to PRICES. */
export function walkModel(asset: i32, bytes: usize): void {
  switch (model) {
    case MODEL_GBM:
      walkGbm(asset, bytes);
      break;
    case MODEL_STUDENT_T:
      walkStudentT(asset, bytes);
      break;
    case MODEL_GARCH:
      walkGarch(asset, bytes);
      break;
    case MODEL_FILTERED:
      walkFiltered(asset, bytes);
      break;
    case MODEL_BOOTSTRAP_DAYS:
      walkDayRows(asset, bytes, first / DAY_STEPS);
      break;
    case MODEL_BOOTSTRAP_HOURS:
      walkHourRows(asset, bytes, first);
      break;
  }
}

/** Writes ln(C/L) of a pair that is one walk; SHOCKS must be there. */
export function walkModelPair(groups: i32, values: usize): void {
  switch (model) {
    case MODEL_GBM:
      walkPair(groups, values);
      break;
    case MODEL_STUDENT_T:
      walkStudentTPair(groups, values);
      break;
    // Two walks (`ratioIsOneWalk`).
    case MODEL_GARCH:
    case MODEL_FILTERED:
    case MODEL_BOOTSTRAP_DAYS:
    case MODEL_BOOTSTRAP_HOURS:
      break;
  }
}

/** Where the roots of the variances of an asset's days in the block are. */
export function dayRootsOf(asset: i32): usize {
  return DAY_ROOTS + ((<usize>asset) << (VECTOR_SHIFT + 1));
}

function walkStudentTPair(groups: i32, values: usize): void {
  const bytes = (<usize>groups) << GROUP_SHIFT;
  const drift = v128.load(PAIR, PAIR_DRIFT);
  let place = MULTIPLIERS;
  for (let from: usize = 0; from < bytes; from += DAY_BYTES) {
    const to = min(from + DAY_BYTES, bytes);
    walkPairDay(from, to, v128.load(place, VECTOR), f32x4.mul(v128.load(place), drift), values);
    place += MULTIPLIER_BYTES;
  }
}

/** GBM whose variance is multiplied by W of the day. Twin of shaders/model/student_t.wgsl. */
function walkStudentT(asset: i32, bytes: usize): void {
  const drift = v128.load(DRIFT + ((<usize>asset) << VECTOR_SHIFT));
  let place = MULTIPLIERS;
  let root = dayRootsOf(asset);
  for (let from: usize = 0; from < bytes; from += DAY_BYTES) {
    const to = min(from + DAY_BYTES, bytes);
    walkDay(asset, from, to, v128.load(place, VECTOR), f32x4.mul(v128.load(place), drift));
    v128.store(root, v128.load(place, VECTOR));
    root += VECTOR;
    place += MULTIPLIER_BYTES;
  }
}

/** GARCH(1,1), a day's variance spread over its hours. Twin of shaders/model/garch.wgsl. */
function walkGarch(asset: i32, bytes: usize): void {
  const at = (<usize>asset) << VECTOR_SHIFT;
  let rootAt = dayRootsOf(asset);
  for (let from: usize = 0; from < bytes; from += DAY_BYTES) {
    const variance = v128.load(VARIANCE + at);
    const hourly = f32x4.mul(variance, f32x4.splat(PER_HOUR));
    const root = f32x4.mul(v128.load(SCALE), f32x4.sqrt(hourly));
    v128.store(rootAt, f32x4.mul(root, f32x4.splat(LN2)));
    rootAt += VECTOR;
    walkDay(asset, from, min(from + DAY_BYTES, bytes), root, f32x4.mul(v128.load(SCALE, VECTOR), hourly));
    const sum = v128.load(DAY_SUM);
    const square = f32x4.mul(hourly, f32x4.mul(sum, sum));
    const reaction = f32x4.add(v128.load(OMEGA + at), f32x4.mul(v128.load(ALPHA + at), square));
    v128.store(VARIANCE + at, f32x4.add(reaction, f32x4.mul(v128.load(BETA + at), variance)));
  }
}
