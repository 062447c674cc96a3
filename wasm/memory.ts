/**
 * Where everything lies in the kernel's memory. All sizes are in bytes; a vector is 16 bytes, four lanes of 32 bits.
 *
 * A lane is a path: four consecutive paths, a quad, are run side by side. The host fills the parameters, every number
 * four times over, and reads the results; it takes the addresses from the exports of kernel.ts.
 */

export const VECTOR: usize = 16;
/** Steps that are drawn, walked and judged at a time: whole pairs of draw groups, small enough for the first cache. */
export const BLOCK_STEPS: i32 = 64;
export const BLOCK_BYTES: usize = 64 * 16;
/** The most assets of a plan. */
export const MOST_ASSETS: usize = 32;
/** The most paths of a chunk. */
export const MOST_PATHS: usize = 8192;

/** Constants of the approximations: constants.ts. */
export const CONSTANTS: usize = 1024;
/** Key words and counters of the generator, set anew for every quad and asset: threefry.ts. */
export const KEYS: usize = CONSTANTS + 64 * VECTOR;

/** Row i, column j at FACTOR + (32 i + j) vectors: what the normal j adds to the log price of asset i in a step. */
export const FACTOR: usize = KEYS + 12 * VECTOR;
export const FACTOR_ROW_BYTES: usize = MOST_ASSETS * VECTOR;
/** Per asset, what a step adds to its log price. */
export const DRIFT: usize = FACTOR + MOST_ASSETS * FACTOR_ROW_BYTES;
export const COLLATERAL_WEIGHT: usize = DRIFT + MOST_ASSETS * VECTOR;
export const LOAN_WEIGHT: usize = COLLATERAL_WEIGHT + MOST_ASSETS * VECTOR;
/** A pair of single assets: what the normals 0 and 1 add to ln(C/L) in a step, its drift, its start. */
export const PAIR: usize = LOAN_WEIGHT + MOST_ASSETS * VECTOR;
/** Thresholds of a loan: margin call, liquidation, recovery. */
export const RULES: usize = PAIR + 4 * VECTOR;

/** Log prices of the quad being run, in base 2; ln(C/L) of a pair. */
export const LOG_PRICE: usize = RULES + 4 * VECTOR;
export const LOG_RATIO: usize = LOG_PRICE + MOST_ASSETS * VECTOR;
/** State of the four loans being run: loan.ts. */
export const LOAN_STATE: usize = LOG_RATIO + VECTOR;

/** Words of one asset over a block, then the normals of all assets. */
export const WORDS: usize = LOAN_STATE + 8 * VECTOR;
export const NORMALS: usize = WORDS + BLOCK_BYTES;

/** Log prices of one asset over a block, then its prices. */
export const PRICES: usize = NORMALS + MOST_ASSETS * BLOCK_BYTES;
/** Draws in the tails: a byte per vector of the asset being drawn with the lanes, then a list of words and of places. */
export const TAIL_LANES: usize = PRICES + BLOCK_BYTES;
export const TAIL_WORDS: usize = TAIL_LANES + 4 * VECTOR;
export const TAIL_PLACES: usize = TAIL_WORDS + MOST_ASSETS * BLOCK_BYTES + VECTOR;
/** Room that is written and never read. */
export const NOWHERE: usize = TAIL_PLACES + MOST_ASSETS * BLOCK_BYTES + VECTOR;

/** Per quad: lowest and final value, then when it was closed out and when it was liquidated: loan.ts. */
export const RESULTS: usize = NOWHERE + VECTOR;
export const RESULT_BYTES: usize = 4 * VECTOR;

/** From here on three arrays of a vector per step, each of as many steps as the plan needs: C/L (or its log), C, L. */
export const PATHS: usize = RESULTS + (MOST_PATHS / 4) * RESULT_BYTES;
