/**
 * The layout of the kernel's memory. All sizes are in bytes; a vector has LANES lanes of 32 bits, one for each path of a packet of consecutive
 * paths. The host writes the parameters, every number to all lanes, and reads the results, at the addresses exported by kernel.ts.
 */
import { LANE_SHIFT, VECTOR } from './lanes';

/** Steps that are drawn, walked and judged at a time: half a block of the streams, small enough for the first cache. */
export const BLOCK_STEPS: i32 = 48;
export const BLOCK_BYTES: usize = 48 * VECTOR;
/** Steps of a day, and the bytes of their vectors: a block is two days. */
export const DAY_STEPS: i32 = 24;
export const DAY_BYTES: usize = 24 * VECTOR;
/** Steps of a stream (docs/decisions/random-numbers.md). */
export const STREAM_STEPS: i32 = 96;
/** The most assets of a plan. */
export const MAX_ASSETS: usize = 32;
/** The most paths of a chunk. */
export const MAX_PATHS: usize = 8192;

/** Constants of the approximations: constants.ts. */
export const CONSTANTS: usize = 1024;
/** State of the streams of the packet being run: a, b, c and the counter of every pair of assets. */
export const STREAMS: usize = CONSTANTS + 64 * VECTOR;
export const STREAM_BYTES: usize = 4 * VECTOR;

/** Row i, column j at FACTOR + (32 i + j) vectors: loading of the log price of asset i on normal j in a step. */
export const FACTOR: usize = STREAMS + (MAX_ASSETS / 2) * STREAM_BYTES;
export const FACTOR_ROW_BYTES: usize = MAX_ASSETS * VECTOR;
/** Per asset, drift of its log price in a step. */
export const DRIFT: usize = FACTOR + MAX_ASSETS * FACTOR_ROW_BYTES;
export const COLLATERAL_WEIGHT: usize = DRIFT + MAX_ASSETS * VECTOR;
export const LOAN_WEIGHT: usize = COLLATERAL_WEIGHT + MAX_ASSETS * VECTOR;
/** A pair of single assets: variance (times 2 ln 2) and phase of its projection, drift and start of ln(C/L). */
export const PAIR: usize = LOAN_WEIGHT + MAX_ASSETS * VECTOR;
/** Thresholds of a loan: margin call, liquidation, recovery. */
export const RULES: usize = PAIR + 4 * VECTOR;
/** A day's variance of each asset: intercept, reaction, persistence, and its value on the first day (under the bootstrap its root, in base 2). */
export const OMEGA: usize = RULES + 4 * VECTOR;
export const ALPHA: usize = OMEGA + MAX_ASSETS * VECTOR;
export const BETA: usize = ALPHA + MAX_ASSETS * VECTOR;
export const FIRST_VARIANCE: usize = BETA + MAX_ASSETS * VECTOR;
/** Numbers of the whole model: 1 + volatility shock, its square; the largest multiplier of a day's variance. */
export const SCALE: usize = FIRST_VARIANCE + MAX_ASSETS * VECTOR;
export const MULTIPLIER_CAP: usize = SCALE + 2 * VECTOR;

/** A day's variance of each asset in the current packet, and the sum of its last day. */
export const VARIANCE: usize = MULTIPLIER_CAP + VECTOR;
export const DAY_SUM: usize = VARIANCE + MAX_ASSETS * VECTOR;
/** Words beside the normals: four of each path (extra.ts). */
export const EXTRA_WORDS: usize = DAY_SUM + VECTOR;
/** Multiplier of the variance and its root, of the days of a block. */
export const MULTIPLIERS: usize = EXTRA_WORDS + 4 * VECTOR;
/** Row that each path has reached; addresses of the rows of a block's days, or hours, in the array of an asset (rows.ts). */
export const ROW: usize = MULTIPLIERS + 4 * VECTOR;
export const ROWS: usize = ROW + VECTOR;
/** Tables of the hours of a day (bridge.ts). */
export const BRIDGE_HOUR: usize = ROWS + BLOCK_BYTES;
export const BRIDGE_LEFT: usize = BRIDGE_HOUR + DAY_BYTES;
export const BRIDGE_WEIGHT: usize = BRIDGE_LEFT + DAY_BYTES;
/** Position of the bridge of a day at the last horizon, per asset, in natural logarithms. */
export const GONE: usize = BRIDGE_WEIGHT + DAY_BYTES;

/** Sum of the last rows on the way to a horizon, per asset: bootstrap.ts. */
export const ROW_SUM: usize = GONE + MAX_ASSETS * VECTOR;

/** Terms of a perpetual position, and the state of the four being run: position.ts. */
export const POSITION: usize = ROW_SUM + MAX_ASSETS * VECTOR;
export const POSITION_STATE: usize = POSITION + 9 * VECTOR;

/** The most positions of an account, and its currencies: one an asset, and USD. */
export const MAX_ROWS: usize = 32;
export const MAX_CURRENCIES: usize = MAX_ASSETS + 1;
/** Numbers of an account, its rows and its currencies, in words: account.ts. */
export const ACCOUNT: usize = POSITION_STATE + 10 * VECTOR;
export const ACCOUNT_ROWS: usize = ACCOUNT + 128;
export const ACCOUNT_ROW_BYTES: usize = 48;
export const ACCOUNT_CURRENCIES: usize = ACCOUNT_ROWS + MAX_ROWS * ACCOUNT_ROW_BYTES;
export const ACCOUNT_CURRENCY_BYTES: usize = 32;
/** Correlations of the returns of an hour, a row of singles for each asset; and, per asset, what a root of the day multiplies. */
export const CORRELATION: usize = ACCOUNT_CURRENCIES + MAX_CURRENCIES * ACCOUNT_CURRENCY_BYTES;
export const CORRELATION_ROW_BYTES: usize = 4 * MAX_ASSETS;
export const HOUR_SCALE: usize = CORRELATION + MAX_ASSETS * CORRELATION_ROW_BYTES;
/** State of the accounts being run, at the start and now: account.ts. */
export const ACCOUNT_STATE_BYTES: usize = (16 + 5 * MAX_ROWS + 4 * MAX_CURRENCIES) * VECTOR;
export const ACCOUNT_START: usize = HOUR_SCALE + MAX_ASSETS * VECTOR;
export const ACCOUNT_STATE: usize = ACCOUNT_START + ACCOUNT_STATE_BYTES;
/** Per row: notional, and what is settled in the hour in USD and in units; per currency the latter. */
export const NOTIONALS: usize = ACCOUNT_STATE + ACCOUNT_STATE_BYTES;
export const FLOWS: usize = NOTIONALS + MAX_ROWS * VECTOR;
/** Per asset: slope of the excess, times its deviation. */
export const SLOPES: usize = FLOWS + (2 * MAX_ROWS + MAX_CURRENCIES) * VECTOR;
/** Roots of the variances of the days of a block, and deviations of their hours, two an asset; the largest deviation of each day. */
export const DAY_ROOTS: usize = SLOPES + (MAX_ASSETS + 1) * VECTOR;
export const DEVIATIONS: usize = DAY_ROOTS + 2 * MAX_ASSETS * VECTOR;
export const LARGEST_DEVIATION: usize = DEVIATIONS + 2 * MAX_ASSETS * VECTOR;
/** Words of touches: four hours of each path. */
export const TOUCH_WORDS: usize = LARGEST_DEVIATION + 2 * VECTOR;
/** Bytes of the gains of an asset over a block, those of the hours before it in front: as many as a feed is late at most. */
export const EARLIER_HOURS: i32 = 6;
export const EARLIER_BYTES: usize = <usize>EARLIER_HOURS * VECTOR;
export const GAIN_BYTES: usize = BLOCK_BYTES + EARLIER_BYTES;
/** Equity of the hours of a block. */
export const EQUITIES: usize = TOUCH_WORDS + 4 * VECTOR;
/** What an account comes to at the prices of an hour: account.ts. */
export const EVALUATED: usize = EQUITIES + BLOCK_BYTES;

/** Log prices of the packet being run, in base 2; ln(C/L) of a pair. */
export const LOG_PRICE: usize = EVALUATED + 5 * VECTOR;
export const LOG_RATIO: usize = LOG_PRICE + MAX_ASSETS * VECTOR;
/** State of the four loans being run: loan.ts. */
export const LOAN_STATE: usize = LOG_RATIO + VECTOR;

/** Words of one pair over a block, of the radii and of the angles. */
export const RADIUS_WORDS: usize = LOAN_STATE + 8 * VECTOR;
export const ANGLE_WORDS: usize = RADIUS_WORDS + BLOCK_BYTES;
/** Its radii, and the shocks of a pair of single assets. */
export const RADII: usize = ANGLE_WORDS + BLOCK_BYTES;
export const SHOCKS: usize = RADII + BLOCK_BYTES;
/** Normals of all assets over a block. */
export const NORMALS: usize = SHOCKS + BLOCK_BYTES;

/** Log prices of one asset over a block, then its prices. */
export const PRICES: usize = NORMALS + MAX_ASSETS * BLOCK_BYTES;

/** Per packet: lowest and final value, then when it was closed out, when it was liquidated and, of counted loans, when it was first called: loan.ts. */
export const RESULTS: usize = PRICES + BLOCK_BYTES;
export const RESULT_BYTES: usize = 5 * VECTOR;

/** From here on three arrays of a vector per step, each of as many steps as the plan needs: C/L (or its log), C, L. */
export const PATHS: usize = RESULTS + (MAX_PATHS >> LANE_SHIFT) * RESULT_BYTES;
