/**
 * The loans of a book as the words of two buffers (shaders/book/values.wgsl): thresholds in the domain of each, and baskets without assets of
 * weight 0.
 */
import { sleep } from '../../async.ts';
import { type BookProduct, basketOf, bookUnit, shortestTerms } from '../../plan/product/book.ts';
import type { SimulationPlan } from '../../plan/simulation-plan.ts';
import { isNearlyRiskless } from '../../plan/single-precision.ts';
import { type GpuDomain, thresholdTerms } from '../loan-terms.ts';
import { array, wordsOf } from '../struct-layout.ts';
import { DOMAINS, HOLDING, LOAN } from './kernels.ts';

export interface PackedBook {
  readonly loans: Uint32Array<ArrayBuffer>;
  readonly holdings: Uint32Array<ArrayBuffer>;
  /** Per loan. */
  readonly domains: readonly GpuDomain[];
}

/** A pair of baskets: the domain of its loans, and the range of its assets in the holdings. */
interface PackedBasket {
  readonly domain: GpuDomain;
  /** log2(C/L) of a pair at the start, or C - L. */
  readonly start: number;
  readonly first: number;
  readonly count: number;
}

type BookPlan = SimulationPlan<BookProduct>;

/** Baskets that are packed in one turn of the event loop: some milliseconds. */
const BASKETS_PER_TURN = 256;

export async function packBook(plan: BookPlan, signal: AbortSignal | undefined): Promise<PackedBook> {
  const { product, scenarios } = plan;
  const unit = bookUnit(product);
  const holdings: number[] = [];
  const baskets: PackedBasket[] = [];
  for (const [b, steps] of shortestTerms(product).entries()) {
    if (b % BASKETS_PER_TURN === BASKETS_PER_TURN - 1) {
      await sleep(1, signal);
      signal?.throwIfAborted();
    }
    baskets.push(packBasket(plan, b, steps, holdings));
  }
  const loans = Array.from(product.basket, (b, k) => {
    const { domain, start, first, count } = baskets[b];
    return {
      ...thresholdTerms(termsOf(product, k), domain),
      units: product.loanValue[k] / unit,
      start,
      top_up_steps: product.topUpSteps[k],
      term_steps: product.termSteps[k],
      domain: DOMAINS.indexOf(domain),
      first_holding: first,
      holdings: count,
    };
  });
  return {
    loans: wordsOf(array(LOAN, loans.length), loans),
    holdings: packHoldings(holdings, scenarios.assets, product),
    domains: Array.from(product.basket, b => baskets[b].domain),
  };
}

const termsOf = (product: BookProduct, k: number) => ({
  nominalRatio: product.nominalRatio[k],
  marginCallRatio: product.marginCallRatio[k],
  liquidationRatio: product.liquidationRatio[k],
  recoveryRatio: product.recoveryRatio[k],
  topUpSteps: product.topUpSteps[k],
});

/** Appends the places of a basket pair's weights to `holdings`. */
function packBasket(plan: BookPlan, b: number, steps: number, holdings: number[]): PackedBasket {
  const { product, scenarios } = plan;
  const { assets } = scenarios;
  const collateralWeights = basketOf(product.collateralWeights, b, assets);
  const loanWeights = basketOf(product.loanWeights, b, assets);
  const held = (weights: Float64Array) => [...weights.keys()].filter(i => weights[i] !== 0);
  const [collateral, loan] = [held(collateralWeights), held(loanWeights)];
  const first = holdings.length;
  if (collateral.length === 1 && loan.length === 1 && collateral[0] !== loan[0]) {
    holdings.push(b * assets + collateral[0], b * assets + loan[0]);
    const start = Math.log2(collateralWeights[collateral[0]] / loanWeights[loan[0]]);
    return { domain: 'log2', start, first, count: 2 };
  }
  // In the order of the sum of a loan alone: the rounding is the same.
  const both = [...new Set([...collateral, ...loan])].sort((a, c) => a - c);
  for (const i of both) holdings.push(b * assets + i);
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

/** @param places of the weights in the rows of the product */
function packHoldings(
  places: readonly number[],
  assets: number,
  { collateralWeights, loanWeights }: BookProduct,
): Uint32Array<ArrayBuffer> {
  const holdings = places.map(place => ({
    asset: place % assets,
    collateral: collateralWeights[place],
    loan: loanWeights[place],
    excess: collateralWeights[place] - loanWeights[place],
  }));
  return wordsOf(array(HOLDING, holdings.length), holdings);
}
