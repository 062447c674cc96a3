/**
 * Weight maps: the assets of a basket and their shares, under upper-case symbols without aliases, in alphabetical order.
 *
 * Must not know: which assets have prices.
 */
import { z } from 'zod';
import { isObject, issue, show } from '../../text/message.ts';
import { MAX_SYMBOLS, type ResolveSymbol, rateOf } from '../../text/symbols.ts';
import { meaning, SYMBOL, SYMBOL_BOUND } from './fields.ts';

/** Largest distance of the sum of weights from 1. */
const SUM_TOLERANCE = 1e-6;
/** Bound of the rounding error of a sum of 32 fractions; without it 1.000001 itself would be refused. */
const SUM_ROUNDING = 1e-13;

/** Upper-case symbols to weights > 0 whose sum is 1 within 1e-6, as sent; keys in alphabetical order. Of amounts, to numbers > 0. */
export type WeightMap = Readonly<Record<string, number>>;

/** An object of the entries of a map, by keys in alphabetical order. */
export const alphabetical = <V>(map: ReadonlyMap<string, V>): Record<string, V> =>
  Object.fromEntries([...map.keys()].sort().map(key => [key, map.get(key) as V]));

/** Numbers of an alias as those of its asset, by their unit. @param rate units of the asset in one of the alias */
const IN_UNITS_OF_ASSET = {
  fraction: (value: number, _rate: number) => value,
  'asset units': (value: number, rate: number) => value * rate,
  'USD per unit': (value: number, rate: number) => value / rate,
} as const;

/** The differences between maps of symbols and numbers above 0. */
interface MapTerms {
  /** The order of the symbols: in it amounts are summed, and maps are shown alphabetically. */
  readonly order: (map: ReadonlyMap<string, number>) => WeightMap;
  /** `a weight above 0`. */
  readonly bound: string;
  readonly unit: keyof typeof IN_UNITS_OF_ASSET;
  readonly examples: readonly object[];
  /** Whether the numbers sum to 1. */
  readonly sumToOne: boolean;
  /** Whether a number is as `bound` says. Default: above 0. */
  readonly isValid?: ((value: number) => boolean) | undefined;
}

/** The map as a JSON Schema, without the sum of its numbers. */
const jsonSchema = ({ unit, examples, isValid }: MapTerms) => ({
  type: 'object',
  minProperties: 1,
  maxProperties: MAX_SYMBOLS,
  propertyNames: { pattern: SYMBOL.source },
  additionalProperties: {
    type: 'number',
    ...(isValid === undefined ? { exclusiveMinimum: 0 } : { not: { const: 0 } }),
    'x-unit': unit,
  },
  examples,
});

/** A map; each bad symbol, number and repeat is a fault of its own. */
const mapOf = (resolve: ResolveSymbol, terms: MapTerms) =>
  z
    .unknown()
    .meta(jsonSchema(terms))
    .transform((sent, context): WeightMap => {
      const { isValid = (value: number) => value > 0 } = terms;
      if (!isObject(sent)) {
        const numbers = terms.sumToOne ? 'weights' : 'numbers';
        context.addIssue(issue('wrong_type', [], `an object of symbols and ${numbers}`, sent));
        return z.NEVER;
      }
      const entries: [string, unknown][] = Object.entries(sent);
      if (entries.length < 1 || entries.length > MAX_SYMBOLS) {
        // The symbols are not read: thousands of messages would block the event loop.
        context.addIssue(
          issue(
            'out_of_range',
            [],
            `an object of 1 to ${MAX_SYMBOLS} symbols`,
            sent,
            `${entries.length} of them`,
          ),
        );
        return z.NEVER;
      }

      const weights = new Map<string, number>();
      const seen = new Set<string>();
      let sum = 0;
      let goodWeights = true;
      for (const [key, weight] of entries) {
        const symbol = resolve(key.toUpperCase());
        if (!SYMBOL.test(key)) context.addIssue(issue('malformed', [key], `named by ${SYMBOL_BOUND}`, key));
        else if (seen.has(symbol))
          context.addIssue(issue('repeated', [key], `named once; ${symbol} is there already`, key));
        seen.add(symbol);
        if (typeof weight === 'number' && Number.isFinite(weight) && isValid(weight)) {
          weights.set(symbol, IN_UNITS_OF_ASSET[terms.unit](weight, rateOf(resolve, key.toUpperCase())));
          sum += weight;
        } else {
          context.addIssue(
            issue(
              typeof weight === 'number' ? 'out_of_range' : 'wrong_type',
              [key],
              terms.bound,
              weight,
              show(weight),
            ),
          );
          goodWeights = false;
        }
      }
      if (terms.sumToOne && goodWeights && Math.abs(sum - 1) > SUM_TOLERANCE + SUM_ROUNDING)
        context.addIssue(issue('inconsistent', [], 'weights that sum to 1 within 1e-6', sent, sumShown(sum)));

      // An object is safe here only because every key has passed SYMBOL and is upper-case.
      return context.issues.length > 0 ? z.NEVER : terms.order(weights);
    });

/** A sum of 100 suggests per cent. */
const sumShown = (sum: number) =>
  `a sum of ${sum}${Math.abs(sum - 100) < 1e-4 ? ': weights are fractions, 40 per cent is 0.4' : ''}`;

/** A weight map. */
export const weightMap = (resolve: ResolveSymbol) =>
  mapOf(resolve, {
    bound: 'a weight above 0',
    unit: 'fraction',
    examples: [{ BTC: 0.6, ETH: 0.4 }],
    sumToOne: true,
    order: alphabetical,
  });

/** Symbols and numbers above 0, or as `isValid` says, of any sum, in the order sent. */
export const symbolMap = (
  resolve: ResolveSymbol,
  bound: string,
  unit: MapTerms['unit'],
  examples: readonly object[],
  isValid?: (value: number) => boolean,
) => mapOf(resolve, { bound, unit, examples, sumToOne: false, order: Object.fromEntries, isValid });

/** Symbols and numbers that are as `bound` says, such as the thresholds of assets; shown alphabetically. */
export const fractionsByAsset = (
  resolve: ResolveSymbol,
  bound: string,
  isValid: (value: number) => boolean,
  examples: readonly object[],
) => mapOf(resolve, { bound, unit: 'fraction', examples, sumToOne: false, order: alphabetical, isValid });

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

/** The baskets of a loan, which may have amounts in their place. */
export const loanBasketMembers = (resolve: ResolveSymbol) => {
  const { collateral_weights, loan_weights } = basketMembers(resolve);
  return { collateral_weights: collateral_weights.optional(), loan_weights: loan_weights.optional() };
};
