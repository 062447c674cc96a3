/**
 * The loans of a book as the words of two buffers (shaders/book/values.wgsl): thresholds in the domain of each, and baskets without assets of
 * weight 0.
 */
import { sleep } from '../../async.ts';
import { isByAsset } from '../../plan/book-lending.ts';
import { type BookProduct, basketOf, bookUnit, shortestTerms } from '../../plan/product/book.ts';
import type { SimulationPlan } from '../../plan/simulation-plan.ts';
import { isNearlyRiskless } from '../../plan/single-precision.ts';
import { type GpuDomain, securedBasket, thresholdTerms } from '../loan-terms.ts';
import { array, wordsOf } from '../struct-layout.ts';
import { DOMAINS, HOLDING, LOAN } from './kernels.ts';

export interface PackedBook {
  readonly loans: Uint32Array<ArrayBuffer>;
  readonly holdings: Uint32Array<ArrayBuffer>;
  /** Per loan. */
  readonly domains: readonly GpuDomain[];
  /** Whether some loans have thresholds of liquidation by asset: the kernel is another one. */
  readonly isByAsset: boolean;
}

/** A pair of baskets: the domain of its loans, and the range of its assets in the holdings. */
interface PackedBasket {
  readonly domain: GpuDomain;
  /** log2(C/L) of a pair at the start, or C - L. */
  readonly start: number;
  readonly first: number;
  readonly count: number;
}

/** A number for each word of a `BookHolding`. */
type Holding = Readonly<Record<'asset' | 'collateral' | 'loan' | 'excess', number>>;

type BookPlan = SimulationPlan<BookProduct>;

/** Baskets that are packed in one turn of the event loop: some milliseconds. */
const BASKETS_PER_TURN = 256;

export async function packBook(plan: BookPlan, signal: AbortSignal | undefined): Promise<PackedBook> {
  const { product } = plan;
  const unit = bookUnit(product);
  const someByAsset = product.basket.some((_, k) => isByAsset(product.lending, k));
  const holdings: Holding[] = [];
  const baskets: PackedBasket[] = [];
  for (const [b, steps] of shortestTerms(product).entries()) {
    if (b % BASKETS_PER_TURN === BASKETS_PER_TURN - 1) {
      await sleep(1, signal);
      signal?.throwIfAborted();
    }
    baskets.push(packBasket(plan, b, steps, someByAsset, holdings));
  }
  const loans = Array.from(product.basket, (b, k) => {
    const { domain, start, first, count } = baskets[b];
    return {
      ...thresholdTerms(termsOf(plan, k), domain),
      units: product.loanValue[k] / unit,
      start,
      top_up_steps: product.topUpSteps[k],
      term_steps: product.termSteps[k],
      domain: DOMAINS.indexOf(domain),
      first_holding: isByAsset(product.lending, k) ? first + 2 * count : first,
      holdings: count,
    };
  });
  return {
    loans: wordsOf(array(LOAN, loans.length), loans),
    holdings: wordsOf(array(HOLDING, holdings.length), holdings),
    domains: Array.from(product.basket, b => baskets[b].domain),
    isByAsset: someByAsset,
  };
}

/** The thresholds of a loan; L is that of the start where the assets have thresholds. */
function termsOf(plan: BookPlan, k: number) {
  const { product } = plan;
  const secured = isByAsset(product.lending, k) ? securedOf(plan, product.basket[k]) : undefined;
  return {
    nominalRatio: product.nominalRatio[k],
    marginCallRatio: product.marginCallRatio[k],
    liquidationRatio: secured?.ratio ?? product.liquidationRatio[k],
    recoveryRatio: product.recoveryRatio[k],
    topUpSteps: product.topUpSteps[k],
  };
}

/** The collateral of a basket at the thresholds of its assets; undefined where it has none. */
function securedOf({ product, scenarios: { assets } }: BookPlan, b: number) {
  const { collateralWeights, liquidationWeights = new Float64Array() } = product;
  const thresholds = basketOf(liquidationWeights, b, assets);
  return thresholds.some(weight => weight > 0)
    ? securedBasket(thresholds, basketOf(collateralWeights, b, assets))
    : undefined;
}

/**
 * Appends the assets of a pair of baskets to `holdings`; in a book with thresholds by asset four times: of loans without them, and of loans
 * with them, each with the collateral and with that which L is compared with.
 */
function packBasket(
  plan: BookPlan,
  b: number,
  steps: number,
  someByAsset: boolean,
  holdings: Holding[],
): PackedBasket {
  const { product, scenarios } = plan;
  const { assets } = scenarios;
  const collateralWeights = basketOf(product.collateralWeights, b, assets);
  const loanWeights = basketOf(product.loanWeights, b, assets);
  const held = (weights: Float64Array) => [...weights.keys()].filter(i => weights[i] !== 0);
  const [collateral, loan] = [held(collateralWeights), held(loanWeights)];
  const first = holdings.length;
  const add = (held: readonly number[]) => {
    const holding = (of: Float64Array) => (asset: number) => {
      const [weight, owed] = [of[asset], loanWeights[asset]];
      return { asset, collateral: weight, loan: owed, excess: weight - owed };
    };
    const plain = held.map(holding(collateralWeights));
    holdings.push(...plain);
    if (!someByAsset) return;
    const secured = held.map(holding(securedOf(plan, b)?.weights ?? collateralWeights));
    holdings.push(...plain, ...plain, ...secured);
  };
  if (collateral.length === 1 && loan.length === 1 && collateral[0] !== loan[0]) {
    add([collateral[0], loan[0]]);
    const start = Math.log2(collateralWeights[collateral[0]] / loanWeights[loan[0]]);
    return { domain: 'log2', start, first, count: 2 };
  }
  // In the order of the sum of a loan alone: the rounding is the same.
  const both = [...new Set([...collateral, ...loan])].sort((a, c) => a - c);
  add(both);
  const excess = both.reduce((sum, i) => sum + (collateralWeights[i] - loanWeights[i]), 0);
  const alone: SimulationPlan = {
    ...plan,
    product: {
      kind: 'loan',
      portfolio: { collateralWeights, loanWeights },
      steps,
      nominalRatio: 1,
      marginCallRatio: 1,
      liquidationRatio: 1,
      recoveryRatio: 1,
      topUpSteps: 0,
    },
  };
  const domain = isNearlyRiskless(alone) ? 'difference' : 'ratio';
  return { domain, start: excess, first, count: both.length };
}
