/** The exports: packets of paths of one plan, whose parameters are in memory and from `configure`. There is no other state between calls. */

import {
  accountHours,
  anyAccountOpen,
  beginAccountBlock,
  beginAccountPaths,
  followAccountHours,
  highestLeverage,
  leverageCounts,
  lowestLeverage,
} from './account';
import { accrue, configureAccrual } from './accrual';
import { divide, walkBasket, walkPairOfAssets } from './basket';
import { beginPrices, walkPrices } from './book-prices';
import { fillBridge } from './bridge';
import { addressOf, fillConstants, TWICE_LN2, ZERO } from './constants';
import { beginCounts, countBlock, countRatio } from './counts';
import { GROUP_SHIFT, LANES, VECTOR, VECTOR_SHIFT } from './lanes';
import { beginLoans, endLoans, findCalls, followLoans } from './loan';
import { placeMedians } from './median';
import {
  BLOCK_BYTES,
  BLOCK_STEPS,
  EQUITIES,
  NORMALS,
  PAIR,
  PATHS,
  POSITION_STATE,
  PRICES,
  RESULT_BYTES,
  RESULTS,
  SHOCKS,
  STREAM_STEPS,
} from './memory';
import {
  beginBlock,
  beginHorizons,
  beginModel,
  ratioIsOneWalk,
  usesNormals,
  walkHorizons,
  walkModel,
  walkModelPair,
} from './model';
import { formCosines, formRadii, formSines } from './normal';
import { beginPair, PAIR_PHASE, PAIR_VARIANCE } from './pair';
import {
  anyOpen,
  beginPositions,
  endPositions,
  followPositions,
  HIGHEST,
  LOWEST,
  OPEN_STEPS,
} from './position';
import { drawWords, seedStreams } from './stream';

export { configureAccrual } from './accrual';
export {
  BOOK_CREDIT_BYTES,
  BOOK_CREDIT_SUMS,
  BOOK_EVENT_BYTES,
  BOOK_FIGURE_BYTES,
  BOOK_LOAN_BYTES,
  BOOK_SUMS,
} from './book-bookings';
export { BOOK_RULES_BYTES, BOOK_RULES_SUMS } from './book-lending';
export { areLoansLeft, beginBook, beginPaths, followBook, placeBook } from './book-loans';
export { placePrices } from './book-prices';
export { TERM_BYTES } from './book-terms';
export { configureCounts } from './counts';
export { PROCESS_BYTES } from './funding';
export {
  ACCOUNT,
  ACCOUNT_CURRENCIES,
  ACCOUNT_CURRENCY_BYTES,
  ACCOUNT_ROW_BYTES,
  ACCOUNT_ROWS,
  ACCOUNT_START,
  ACCOUNT_STATE,
  ALPHA,
  BETA,
  COLLATERAL_WEIGHT,
  CORRELATION,
  CORRELATION_ROW_BYTES,
  DAY_ROOTS,
  DEVIATIONS,
  DRIFT,
  EARLIER_HOURS,
  EQUITIES,
  FACTOR,
  FACTOR_ROW_BYTES,
  FIRST_VARIANCE,
  GAIN_BYTES,
  HOUR_SCALE,
  LOAN_WEIGHT,
  LOG_PRICE,
  LOG_RATIO,
  MAX_CURRENCIES,
  MAX_ROWS,
  MULTIPLIER_CAP,
  OMEGA,
  PAIR,
  PATHS,
  POSITION,
  RESULT_BYTES,
  RESULTS,
  RULES,
  SCALE,
} from './memory';
export { configureModel, configureRows } from './model';
export * from './model-numbers';

/** Bytes of a packet's results of positions. */
export const POSITION_RESULT_BYTES: usize = 6 * VECTOR;

let seed: i32;
let assets: i32;
let isPair: bool;

fillConstants();
fillBridge();

/** Sets the model of the parameters in memory; the debt does not grow unless `configureAccrual` is called afterwards. */
export function configure(planSeed: i32, planAssets: i32, planIsPair: bool): void {
  seed = planSeed;
  assets = planAssets;
  isPair = planIsPair;
  configureAccrual(0, false);
}

function begin(): void {
  beginPair();
  beginModel(seed, assets);
}

/** Draws the words of one pair of assets over the `groups` draw groups of a block. */
function drawPair(path: i32, pair: i32, firstStep: i32, groups: i32): void {
  if (firstStep % STREAM_STEPS === 0) seedStreams(seed, path, pair, firstStep / STREAM_STEPS);
  drawWords(pair, groups << 2);
}

/** Writes the normals of a pair whose words are drawn: of assets `j` and, where there is one, `j` + 1. */
function formNormals(j: i32, groups: i32): void {
  const normals = NORMALS + <usize>j * BLOCK_BYTES;
  formRadii(groups, addressOf(TWICE_LN2));
  formCosines(groups, addressOf(ZERO), normals);
  if (j + 1 < assets) formSines(groups, normals + BLOCK_BYTES);
}

/** Writes the shocks of a pair of single assets whose words are drawn. */
function formShocks(groups: i32): void {
  formRadii(groups, PAIR + PAIR_VARIANCE);
  formCosines(groups, PAIR + PAIR_PHASE, SHOCKS);
}

/** Walks a block: C/L of its steps (ln(C/L) of a pair) to `values`; C and L to `collateral` and `loan`, of a pair if `amounts` is set. */
function walkBlock(
  path: i32,
  step: i32,
  groups: i32,
  values: usize,
  collateral: usize,
  loan: usize,
  amounts: bool,
): void {
  const projected = isPair && ratioIsOneWalk();
  beginBlock(path, step, groups << 2);
  for (let j = 0; j < assets && usesNormals(false); j += 2) {
    drawPair(path, j >>> 1, step, groups);
    if (projected) formShocks(groups);
    if (!projected || amounts) formNormals(j, groups);
  }
  if (projected) {
    walkModelPair(groups, values);
    if (amounts) walkBasket(assets, groups, collateral, loan);
  } else if (isPair) {
    walkPairOfAssets(assets, groups, values, collateral, loan, amounts);
  } else {
    walkBasket(assets, groups, collateral, loan);
    divide(groups, collateral, loan, values);
  }
}

/** Runs the loans of `packets` packets from path `firstPath` on; the results are at RESULTS. */
export function runLoans(firstPath: i32, packets: i32, steps: i32, topUpSteps: i32): void {
  const values = PATHS;
  const collateral = values + BLOCK_BYTES;
  const loan = collateral + BLOCK_BYTES;
  for (let packet = 0; packet < packets; packet++) {
    begin();
    beginLoans();
    for (let step = 0; step < steps; step += BLOCK_STEPS) {
      const count = min(BLOCK_STEPS, steps - step);
      walkBlock(firstPath + LANES * packet, step, (count + 3) >>> 2, values, collateral, loan, false);
      accrue(values, step, count);
      followLoans(values, count, steps - step, topUpSteps);
    }
    endLoans(packet);
  }
}

/**
 * Runs the loans of `paths` paths from `firstPath` on, as `runLoans` does, and counts ratios as set by `configureCounts`: of the
 * lowest value in the row at `lowest`, which is the first of a packet's results, and of values along the path.
 */
export function runCountedLoans(
  firstPath: i32,
  paths: i32,
  steps: i32,
  topUpSteps: i32,
  lowest: usize,
): void {
  const values = PATHS;
  const collateral = values + BLOCK_BYTES;
  const loan = collateral + BLOCK_BYTES;
  for (let packet = 0; LANES * packet < paths; packet++) {
    const lanes = min(LANES, paths - LANES * packet);
    begin();
    beginLoans();
    beginCounts();
    for (let step = 0; step < steps; step += BLOCK_STEPS) {
      const count = min(BLOCK_STEPS, steps - step);
      walkBlock(firstPath + LANES * packet, step, (count + 3) >>> 2, values, collateral, loan, false);
      accrue(values, step, count);
      followLoans(values, count, steps - step, topUpSteps);
      findCalls(values, count, steps - step);
      countBlock(values, step, count, lanes);
    }
    endLoans(packet);
    countRatio(RESULTS + <usize>packet * RESULT_BYTES, lowest, lanes);
  }
}

/**
 * Writes the paths of one packet to PATHS: a vector per step of C/L (ln(C/L) for a pair), then of C, then of L, each
 * array of `steps` vectors rounded up to whole draw groups. C and L of a pair are written if `amounts` is set. The first
 * result is the packet's: its loans are followed as by runLoans.
 */
export function simulatePaths(path: i32, steps: i32, amounts: bool, topUp: i32): void {
  const arrayBytes = (<usize>((steps + 3) >>> 2)) << GROUP_SHIFT;
  begin();
  beginLoans();
  for (let step = 0; step < steps; step += BLOCK_STEPS) {
    const count = min(BLOCK_STEPS, steps - step);
    const values = PATHS + ((<usize>step) << VECTOR_SHIFT);
    const collateral = values + arrayBytes;
    walkBlock(path, step, (count + 3) >>> 2, values, collateral, collateral + arrayBytes, amounts);
    followLoans(values, count, steps - step, topUp);
  }
  endLoans(0);
}

/**
 * Writes the gains of the baskets at every horizon, for `packets` packets from path `firstPath` on.
 *
 * At PATHS are two arrays: of what each step takes of a year, and of its root, by the host or by the model (or what else the model takes); a vector per horizon, rounded up to
 * whole draw groups, 0 in those behind the last. Behind them, for each packet, C - C_0 and then L - L_0 in arrays of that length.
 */
export function simulateHorizons(firstPath: i32, packets: i32, horizons: i32): void {
  const arrayBytes = (<usize>((horizons + 3) >>> 2)) << GROUP_SHIFT;
  const years = PATHS;
  const roots = years + arrayBytes;
  let collateral = roots + arrayBytes;
  for (let packet = 0; packet < packets; packet++) {
    const path = firstPath + LANES * packet;
    const loan = collateral + arrayBytes;
    memory.fill(collateral, 0, 2 * arrayBytes);
    beginModel(seed, assets);
    beginHorizons(path, arrayBytes, years, roots);
    for (let step = 0; step < horizons; step += BLOCK_STEPS) {
      const count = min(BLOCK_STEPS, horizons - step);
      const offset = (<usize>step) << VECTOR_SHIFT;
      for (let j = 0; j < assets && usesNormals(true); j += 2) {
        drawPair(path, j >>> 1, step, (count + 3) >>> 2);
        formNormals(j, (count + 3) >>> 2);
      }
      walkHorizons(path, count, years + offset, roots + offset, collateral + offset, loan + offset);
    }
    collateral = loan + arrayBytes;
  }
}

/** Writes the prices of all assets along one packet, and their bounds, at the addresses of `placePrices`. */
export function simulatePrices(path: i32, steps: i32): void {
  beginModel(seed, assets);
  beginPrices(assets);
  for (let step = 0; step < steps; step += BLOCK_STEPS) {
    const count = min(BLOCK_STEPS, steps - step);
    const groups = (count + 3) >>> 2;
    beginBlock(path, step, groups << 2);
    for (let j = 0; j < assets && usesNormals(false); j += 2) {
      drawPair(path, j >>> 1, step, groups);
      formNormals(j, groups);
    }
    walkPrices(assets, step, count, groups);
  }
}

/**
 * Runs the perpetual positions of `paths` paths from `firstPath` on, in packets. Results of a packet at `results`: the four of position.ts,
 * then the two of median.ts. The leverage of the steps goes to `leverage`, a vector for each and one for the start.
 *
 * @param counted whether the logarithms of the price in base 2 are counted as set by `configureCounts`, on all steps of the term
 */
export function runPositions(
  firstPath: i32,
  paths: i32,
  steps: i32,
  dues: usize,
  leverage: usize,
  results: usize,
  counted: bool,
): void {
  let result = results;
  for (let first = 0; first < paths; first += LANES) {
    const path = firstPath + first;
    beginModel(seed, assets);
    beginPositions(leverage);
    beginCounts();
    let followed = 0;
    for (let step = 0; step < steps && (counted || anyOpen()); step += BLOCK_STEPS) {
      const count = min(BLOCK_STEPS, steps - step);
      const groups = (count + 3) >>> 2;
      beginBlock(path, step, groups << 2);
      if (usesNormals(false)) {
        drawPair(path, 0, step, groups);
        formNormals(0, groups);
      }
      walkModel(0, (<usize>groups) << GROUP_SHIFT);
      if (counted) countBlock(PRICES, step, count, min(LANES, paths - first));
      if (anyOpen()) {
        followPositions(count, dues + ((<usize>step) << 2), leverage + ((<usize>(step + 1)) << VECTOR_SHIFT));
        followed = step + count;
      }
    }
    endPositions(result);
    placeMedians(
      leverage,
      (<usize>(followed + 1)) << VECTOR_SHIFT,
      v128.load(POSITION_STATE, OPEN_STEPS),
      v128.load(POSITION_STATE, LOWEST),
      v128.load(POSITION_STATE, HIGHEST),
      result + 4 * VECTOR,
    );
    result += POSITION_RESULT_BYTES;
  }
}

let accountPath: i32;
let accountSteps: i32;
let accountLanes: i32;
let accountsCounted: bool;
let accountLeverage: usize;

/**
 * Begins the accounts of a packet, whose terms and start are in memory (account.ts).
 *
 * @param leverage receives the leverage of the start and of every step, a vector each, and behind them the two of median.ts
 * @param counted whether the equity over that at the start is counted as set by `configureCounts`, of the first `lanes` paths
 */
export function beginAccounts(path: i32, steps: i32, leverage: usize, lanes: i32, counted: bool): void {
  accountPath = path;
  accountSteps = steps;
  accountLanes = lanes;
  accountsCounted = counted;
  accountLeverage = leverage;
  beginModel(seed, assets);
  beginAccountPaths(assets);
  beginCounts();
}

/** Follows the accounts of the packet on. @returns bits of the paths that the host follows through the hour that is behind; 0 at the end */
export function followAccounts(): i32 {
  for (;;) {
    const hour = accountHours();
    const place = hour % BLOCK_STEPS;
    const isOver = hour >= accountSteps || !(accountsCounted || anyAccountOpen());
    // The host has followed the last hour of the block before, too.
    if (accountsCounted && hour > 0 && (place === 0 || isOver)) {
      const count = place === 0 ? BLOCK_STEPS : place;
      countBlock(EQUITIES, hour - count, count, accountLanes);
    }
    if (isOver) break;
    const count = min(BLOCK_STEPS, accountSteps - hour + place);
    if (place === 0) {
      const groups = (count + 3) >>> 2;
      beginBlock(accountPath, hour, groups << 2);
      for (let j = 0; j < assets && usesNormals(false); j += 2) {
        drawPair(accountPath, j >>> 1, hour, groups);
        formNormals(j, groups);
      }
      beginAccountBlock(seed, accountPath, assets, (<usize>groups) << GROUP_SHIFT);
    }
    const events = followAccountHours(seed, accountPath, assets, place, count);
    if (events !== 0) return events;
  }
  const bytes = (<usize>(accountHours() + 1)) << VECTOR_SHIFT;
  const medians = accountLeverage + ((<usize>(accountSteps + 1)) << VECTOR_SHIFT);
  placeMedians(accountLeverage, bytes, leverageCounts(), lowestLeverage(), highestLeverage(), medians);
  return 0;
}
