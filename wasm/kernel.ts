/**
 * The entry points: quads of paths of one plan.
 *
 * Takes: parameters in memory and by `configure`. Gives: results per quad, or whole paths. Keeps nothing else
 * between calls. Must not know: plans, outcomes, threads.
 */
import { beginBasket, divide, walkBasket } from './basket';
import { fillConstants } from './constants';
import { beginLoans, endLoans, followLoans } from './loan';
import { BLOCK_BYTES, BLOCK_STEPS, NORMALS, PATHS } from './memory';
import { drawCentre, drawTails } from './normal';
import { beginPair, walkPair } from './pair';
import { drawWords } from './threefry';

export {
  COLLATERAL_WEIGHT,
  DRIFT,
  FACTOR,
  FACTOR_ROW_BYTES,
  LOAN_WEIGHT,
  PAIR,
  PATHS,
  RESULT_BYTES,
  RESULTS,
  RULES,
} from './memory';

let seed: i32 = 0;
let assets: i32 = 0;
let isPair: bool = false;

fillConstants();

/** Says what the parameters in memory belong to. */
export function configure(planSeed: i32, planAssets: i32, planIsPair: bool): void {
  seed = planSeed;
  assets = planAssets;
  isPair = planIsPair;
}

function begin(): void {
  beginPair();
  beginBasket(assets);
}

/** Draws the normals of all assets over the `groups` draw groups of a block. */
function draw(path: i32, firstStep: i32, groups: i32): void {
  // The words come two groups at a time.
  const drawn = (groups + 1) & ~1;
  let listed = 0;
  for (let j = 0; j < assets; j++) {
    drawWords(seed, path, j, firstStep >>> 2, drawn);
    listed = drawCentre(drawn, NORMALS + <usize>j * BLOCK_BYTES, listed);
  }
  drawTails(listed);
}

/** Runs the loans of `quads` quads from path `firstPath` on; the results are at RESULTS. */
export function runLoans(firstPath: i32, quads: i32, steps: i32, topUpSteps: i32): void {
  const values = PATHS;
  const collateral = values + BLOCK_BYTES;
  const loan = collateral + BLOCK_BYTES;
  for (let quad = 0; quad < quads; quad++) {
    begin();
    beginLoans();
    for (let step = 0; step < steps; step += BLOCK_STEPS) {
      const count = min(BLOCK_STEPS, steps - step);
      const groups = (count + 3) >>> 2;
      draw(firstPath + 4 * quad, step, groups);
      if (isPair) {
        walkPair(groups, values);
      } else {
        walkBasket(assets, groups, collateral, loan);
        divide(groups, collateral, loan, values);
      }
      followLoans(values, count, steps - step, topUpSteps);
    }
    endLoans(quad);
  }
}

/**
 * Writes the paths of one quad to PATHS: a vector per step of C/L (ln(C/L) for a pair), then of C, then of L, each
 * array of `steps` vectors rounded up to whole draw groups. C and L of a pair are written if `amounts` is set. The first
 * result is the quad's; by rules that no value breaks it tells the lowest value.
 */
export function simulatePaths(path: i32, steps: i32, amounts: bool): void {
  const arrayBytes = (<usize>((steps + 3) >>> 2)) << 6;
  begin();
  beginLoans();
  for (let step = 0; step < steps; step += BLOCK_STEPS) {
    const count = min(BLOCK_STEPS, steps - step);
    const groups = (count + 3) >>> 2;
    const values = PATHS + ((<usize>step) << 4);
    const collateral = values + arrayBytes;
    const loan = collateral + arrayBytes;
    draw(path, step, groups);
    if (isPair) walkPair(groups, values);
    if (!isPair || amounts) walkBasket(assets, groups, collateral, loan);
    if (!isPair) divide(groups, collateral, loan, values);
    followLoans(values, count, steps - step, 0);
  }
  endLoans(0);
}
