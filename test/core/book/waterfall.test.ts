/** Who bears a loss: against plain rules on each path. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type TrancheTerms, type WaterfallTerms, waterfall } from '#src/core/book/waterfall.js';
import { summaryOf } from '#src/core/book/weighted-tails.js';

const LOAN_VALUE = 200;
const QUANTILES = Float64Array.of(0.5, 0.9);

const LOSSES = fc.array(fc.oneof(fc.constant(0), fc.double({ min: 0, max: 2 * LOAN_VALUE, noNaN: true })), {
  minLength: 1,
  maxLength: 40,
});
const ofPaths = (list: readonly number[]) => Float64Array.from(list);
const plain = (list: readonly number[]) => ({
  loss: ofPaths(list),
  weights: undefined,
  loanValue: LOAN_VALUE,
});

/** What a tranche loses on a path, in words of the contract. */
function trancheLoss(loss: number, reserve: number, attach: number, detach: number): number {
  const net = Math.max(0, loss / LOAN_VALUE - reserve);
  if (net <= attach) return 0;
  if (net >= detach) return (detach - attach) * LOAN_VALUE;
  return (net - attach) * LOAN_VALUE;
}

describe('The losses of a book', () => {
  it('are borne by a reserve, then by each tranche between its shares, whatever order the paths have', () => {
    const tranches = [
      { name: 'overlapping', attach: 0.05, detach: 0.4 },
      { name: 'equity', attach: 0, detach: 0.1 },
      { name: 'senior', attach: 0.1, detach: 1 },
    ];
    fc.assert(
      fc.property(LOSSES, fc.double({ min: 0, max: 0.2, noNaN: true }), (list, reserve) => {
        const found = waterfall(plain(list), { tranches, reserve }, QUANTILES);
        tranches.forEach(({ attach, detach }, i) => {
          const own = ofPaths(list).map(loss => trancheLoss(loss, reserve, attach, detach));
          const expected = summaryOf(own, QUANTILES, undefined);
          const { summary, fullShare } = found.tranches[i];
          expect(summary?.mean).toBeCloseTo(expected.mean, 9);
          expect(summary?.positiveShare).toBe(expected.positiveShare);
          [...expected.quantiles, ...expected.tailMeans].forEach((value, j) => {
            expect([...(summary?.quantiles ?? []), ...(summary?.tailMeans ?? [])][j]).toBeCloseTo(value, 9);
          });
          const full = list.filter(loss => Math.max(0, loss / LOAN_VALUE - reserve) >= detach);
          expect(fullShare).toBe(full.length / list.length);
        });
      }),
    );
  });

  it('are the sum of all layers where tranches do not overlap, with weights or without', () => {
    const partition: TrancheTerms[] = [
      { name: 'b', attach: 0.3, detach: 0.7 },
      { name: 'a', attach: 0.1, detach: 0.3 },
    ];
    const weight = fc.double({ min: 0.1, max: 3, noNaN: true });
    fc.assert(
      fc.property(LOSSES, fc.array(weight, { minLength: 40, maxLength: 40 }), (list, weights) => {
        for (const own of [undefined, ofPaths(weights.slice(0, list.length))]) {
          const losses = { ...plain(list), weights: own };
          const { layers } = waterfall(losses, { tranches: partition, reserve: 0.04 }, QUANTILES);
          const { mean } = summaryOf(losses.loss, QUANTILES, own);
          const sum = Object.values(layers).reduce((a, b) => a + b, 0);
          expect(Math.abs(sum - mean)).toBeLessThanOrEqual(1e-12 * LOAN_VALUE * 2);
        }
      }),
    );
  });
});

describe('An attachment point', () => {
  const attachOf = (
    terms: Partial<WaterfallTerms['tranches'][number]>,
    list: readonly number[],
    own?: number[],
  ) => {
    const tranches = [{ name: 't', detach: 1, ...terms }];
    const losses = { ...plain(list), weights: own && ofPaths(own) };
    return waterfall(losses, { tranches, reserve: 0 }, QUANTILES).tranches[0];
  };
  /** 10, 20, ... 100 per cent of the loan value. */
  const EVEN = Array.from({ length: 10 }, (_, p) => (LOAN_VALUE * (p + 1)) / 10);

  it.each([
    [0.2, 0.8],
    [0.25, 0.8],
    [0, undefined],
    [1, 0],
  ])('lies at the smallest loss above which at most a share of the paths lies: %d', (value, expected) => {
    const { attach } = attachOf({ attach_for: { figure: 'PrLoss', value } }, EVEN);
    expect(attach).toBe(expected ?? null);
    const weighted = attachOf({ attach_for: { figure: 'PrLoss', value } }, EVEN, Array(10).fill(3));
    // The first value that is not below: a share of 1 has the lowest path.
    expect(weighted.attach).toBe(value === 1 ? 0.1 : (expected ?? null));
  });

  it('has the wanted mean loss within 1e-9 of the shares, and a larger one just below', () => {
    const lossPct = (attach: number, list: readonly number[]) =>
      (list.reduce((sum, loss) => sum + trancheLoss(loss, 0, attach, 1), 0) /
        list.length /
        ((1 - attach) * LOAN_VALUE)) *
      100;
    fc.assert(
      fc.property(LOSSES, fc.double({ min: 0.01, max: 60, noNaN: true }), (list, value) => {
        const { attach } = attachOf({ attach_for: { figure: 'ExpectedLossPct', value } }, list);
        if (attach === null) expect(lossPct(1 - 1e-9, list)).toBeGreaterThan(value);
        else {
          expect(lossPct(attach, list)).toBeLessThanOrEqual(value * (1 + 1e-9));
          if (attach > 2e-9) expect(lossPct(attach - 2e-9, list)).toBeGreaterThanOrEqual(value * (1 - 1e-9));
        }
      }),
    );
  });
});
