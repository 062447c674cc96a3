/**
 * Price shocks: relative changes of prices before the first step, under upper-case symbols without aliases.
 *
 * Must not know: the assets of a request, except by the rule that its question adds.
 */
import { z } from 'zod';
import { isObject, issue, show } from '../../text/message.ts';
import { isSteady, MAX_SYMBOLS, type ResolveSymbol } from '../../text/symbols.ts';
import { meaning, SYMBOL, SYMBOL_BOUND } from './fields.ts';
import { type Rule, rule, symbolsOf } from './rules.ts';
import { alphabetical, type WeightMap } from './weight-map.ts';

/** All prices without a change of their own, except those of dollars and their stablecoins. */
export const ALL_OTHERS = '*';
const LARGEST = 100;
const SHOCK_BOUND = `a change above -1 and at most ${LARGEST}, as a fraction: -0.3 is a fall by 30 %`;

/** Upper-case symbols, and `*`, to changes of the price: fractions above -1. */
export type PriceShock = Readonly<Record<string, number>>;

const JSON_SCHEMA = {
  type: 'object',
  minProperties: 1,
  maxProperties: MAX_SYMBOLS + 1,
  propertyNames: { pattern: `${SYMBOL.source}|^\\*$` },
  additionalProperties: {
    type: 'number',
    exclusiveMinimum: -1,
    maximum: LARGEST,
    'x-unit': 'fraction',
  },
  examples: [{ BTC: -0.3, '*': -0.2 }],
};

/** A price shock; each bad symbol, change and repeat is a fault of its own. */
export const priceShock = (resolve: ResolveSymbol) =>
  meaning(
    z
      .unknown()
      .meta(JSON_SCHEMA)
      .transform((sent, context): PriceShock => {
        const entries: [string, unknown][] = isObject(sent) ? Object.entries(sent) : [];
        if (entries.length < 1 || entries.length > MAX_SYMBOLS + 1) {
          // The symbols are not read: thousands of messages would block the event loop.
          context.addIssue(
            issue(
              'out_of_range',
              [],
              `an object of 1 to ${MAX_SYMBOLS} symbols, or ${ALL_OTHERS}, and changes`,
              sent,
            ),
          );
          return z.NEVER;
        }
        const shock = new Map<string, number>();
        for (const [key, change] of entries) {
          const symbol = key === ALL_OTHERS ? key : resolve(key.toUpperCase());
          if (key !== ALL_OTHERS && !SYMBOL.test(key))
            context.addIssue(issue('malformed', [key], `named by ${SYMBOL_BOUND}, or ${ALL_OTHERS}`, key));
          else if (symbol === 'USD')
            context.addIssue(
              issue('not_allowed', [key], 'absent: USD is what prices are counted in', change),
            );
          else if (shock.has(symbol))
            context.addIssue(issue('repeated', [key], `named once; ${symbol} is there already`, key));
          if (typeof change === 'number' && change > -1 && change <= LARGEST) shock.set(symbol, change);
          else
            context.addIssue(
              issue(
                typeof change === 'number' ? 'out_of_range' : 'wrong_type',
                [key],
                SHOCK_BOUND,
                change,
                show(change),
              ),
            );
        }
        return context.issues.length > 0 ? z.NEVER : alphabetical(shock);
      }),
    `Changes of prices at once, before the first step: -0.3 is a fall by 30 %. ${ALL_OTHERS} is every asset that is not named, but USD, USDC, USDT and DAI. Nobody can react to it.`,
  ).optional();

/** Factor of the price of an asset; 1 without a shock. */
export function shockFactor(shock: PriceShock | undefined, symbol: string): number {
  if (shock === undefined) return 1;
  if (Object.hasOwn(shock, symbol)) return 1 + shock[symbol];
  return isSteady(symbol) || !Object.hasOwn(shock, ALL_OTHERS) ? 1 : 1 + shock[ALL_OTHERS];
}

/** Values of a basket after the shock, in units of its value before; not normalised. */
export function shocked(
  weights: Readonly<Record<string, number>>,
  shock: PriceShock | undefined,
): Readonly<Record<string, number>> {
  if (shock === undefined) return weights;
  return Object.fromEntries(
    Object.entries(weights).map(([symbol, weight]) => [symbol, weight * shockFactor(shock, symbol)]),
  );
}

/** Value of a basket after a shock over its value before. Both sums share the deviation of the weights from 1. */
export function basketChange(
  weights: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
): number {
  const sum = (values: Readonly<Record<string, number>>) => Object.values(values).reduce((a, b) => a + b, 0);
  return sum(after) / sum(weights);
}

/** Every asset of a shock is one of the request: a misspelt symbol would leave its price unchanged. */
export const shockedAssetsAreUsed = <T extends { readonly price_shock?: PriceShock | undefined }>(
  needs: readonly string[],
  assetsOf: (value: T) => readonly string[],
): Rule<T> => {
  const unused = (value: T) => {
    const assets = new Set(assetsOf(value));
    return Object.keys(value.price_shock ?? {}).filter(name => name !== ALL_OTHERS && !assets.has(name));
  };
  return rule<T>(
    [...needs, 'price_shock'],
    'price_shock',
    value => unused(value).length === 0,
    value => `a change of assets of the request (${assetsOf(value).join(', ')}), or of ${ALL_OTHERS}`,
    value => `one of ${unused(value).join(', ')}`,
  );
};

interface ShockedBaskets {
  readonly collateral_weights: WeightMap;
  readonly loan_weights: WeightMap;
  readonly price_shock?: PriceShock | undefined;
}

/** The same for two baskets. */
export const shockedBasketsAreUsed = shockedAssetsAreUsed<ShockedBaskets>(
  ['collateral_weights', 'loan_weights'],
  ({ collateral_weights, loan_weights }) => symbolsOf(collateral_weights, loan_weights),
);
