/**
 * Weight maps: which assets a basket holds, and in what shares.
 *
 * Takes: an object of symbols and numbers as a caller sent it. Gives: the same weights under upper-case symbols,
 * aliases replaced, in alphabetical order. Must not know: which assets have prices.
 */
import { z } from 'zod';
import { meaning, SYMBOL, SYMBOL_BOUND } from './fields.ts';
import { issue, show } from './message.ts';
import type { ResolveSymbol } from './symbols.ts';

/** Largest number of symbols in a weight map, and of distinct symbols in both maps of a request. */
export const MAX_SYMBOLS = 32;
/** How far the weights of a map may be from 1 in sum. */
const SUM_TOLERANCE = 1e-6;
/** Summing 32 fractions in double errs by less than this; without it 1.000001 itself would fall outside. */
const SUM_ROUNDING = 1e-13;

/** Upper-case symbols to weights > 0 whose sum is 1 within 1e-6, as sent; keys in alphabetical order. */
export type WeightMap = Readonly<Record<string, number>>;

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The weight map as a JSON Schema, all but the sum of its weights. */
const WEIGHT_MAP = {
  type: 'object',
  minProperties: 1,
  maxProperties: MAX_SYMBOLS,
  propertyNames: { pattern: SYMBOL.source },
  additionalProperties: { type: 'number', exclusiveMinimum: 0, 'x-unit': 'fraction' },
  examples: [{ BTC: 0.6, ETH: 0.4 }],
};

/** A weight map; each bad symbol, weight and repeat is a fault of its own. */
export const weightMap = (resolve: ResolveSymbol) =>
  z
    .unknown()
    .meta(WEIGHT_MAP)
    .transform((sent, context): WeightMap => {
      if (!isObject(sent)) {
        context.addIssue(issue([], 'an object of symbols and weights', sent));
        return z.NEVER;
      }
      const entries: [string, unknown][] = Object.entries(sent);
      if (entries.length < 1 || entries.length > MAX_SYMBOLS) {
        // Not looked into any further: a message for each of thousands of symbols would occupy the event loop.
        context.addIssue(
          issue([], `an object of 1 to ${MAX_SYMBOLS} symbols`, sent, `${entries.length} of them`),
        );
        return z.NEVER;
      }

      const weights = new Map<string, number>();
      const seen = new Set<string>();
      let sum = 0;
      let goodWeights = true;
      for (const [key, weight] of entries) {
        const symbol = resolve(key.toUpperCase());
        if (!SYMBOL.test(key)) context.addIssue(issue([key], `named by ${SYMBOL_BOUND}`, key));
        else if (seen.has(symbol))
          context.addIssue(issue([key], `named once; ${symbol} is there already`, key));
        seen.add(symbol);
        if (typeof weight === 'number' && weight > 0 && Number.isFinite(weight)) {
          weights.set(symbol, weight);
          sum += weight;
        } else {
          context.addIssue(issue([key], 'a weight above 0', weight, show(weight)));
          goodWeights = false;
        }
      }
      if (goodWeights && Math.abs(sum - 1) > SUM_TOLERANCE + SUM_ROUNDING)
        context.addIssue(issue([], 'weights that sum to 1 within 1e-6', sent, `a sum of ${sum}`));

      // Object.fromEntries is safe here only because every key has passed SYMBOL and is upper-case.
      return context.issues.length > 0
        ? z.NEVER
        : Object.fromEntries([...weights].sort(([a], [b]) => (a < b ? -1 : 1)));
    });

/** The two baskets of a loan or an exposure. */
export const basketMembers = (resolve: ResolveSymbol) => ({
  collateral_weights: meaning(
    weightMap(resolve),
    'Assets of the collateral and their shares of its value; the sum is 1.',
  ),
  loan_weights: meaning(
    weightMap(resolve),
    'Assets of the loan and their shares of its value; the sum is 1. USD is the dollar itself, CASH its other name.',
  ),
});
