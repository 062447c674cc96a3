/**
 * Amounts in units of assets in place of weights, N and loan_value: `collateral: {"BTC": 12.5}`, `loan: {"USDC": 400000}`.
 *
 * Takes: the objects of a body that may have amounts, and prices. Gives: fields, and the members that follow from the amounts. Must not know:
 * the source of prices, the operations.
 */
import type { Day } from '../../text/calendar-date.ts';
import { show } from '../../text/message.ts';
import { DOLLAR, MAX_SYMBOLS, type ResolveSymbol } from '../../text/symbols.ts';
import type { Faults, Follows } from './faults.ts';
import { meaning } from './fields.ts';
import type { Close, Closes, WantedPrices } from './prices.ts';
import { alphabetical, symbolMap, type WeightMap } from './weight-map.ts';

/** Units of each asset. */
const units = (resolve: ResolveSymbol, description: string) =>
  meaning(symbolMap(resolve, 'an amount above 0', 'asset units', [{ BTC: 12.5 }]), description).optional();

const LOAN_AMOUNTS =
  'Assets of the loan and how many units of each, with the interest so far; in the place of loan_weights and loan_value.';
const pricesMember = (resolve: ResolveSymbol) =>
  meaning(
    symbolMap(resolve, 'a price above 0', 'USD per unit', [{ BTC: 64_000 }]),
    'Prices at which amounts are valued; the last close of the window where one is absent.',
  ).optional();

/** Both sides of a loan. */
export const amountMembers = (resolve: ResolveSymbol) => ({
  collateral: units(
    resolve,
    'Assets of the collateral and how many units of each; with loan, in the place of both weight maps, N and loan_value.',
  ),
  loan: units(resolve, LOAN_AMOUNTS),
});

/** The prices of the amounts of a request. */
export const amountPrices = (resolve: ResolveSymbol) => ({ prices: pricesMember(resolve) });

/** The loan of a search for N. */
export const loanAmounts = (resolve: ResolveSymbol) => ({
  loan: units(resolve, LOAN_AMOUNTS),
  ...amountPrices(resolve),
});

/** The members that amounts replace, as sent. */
export interface SentAmounts {
  readonly collateral?: WeightMap | undefined;
  readonly loan?: WeightMap | undefined;
  readonly [member: string]: unknown;
}

/** The amounts that an operation takes. */
export type AmountSides = 'both' | 'loan';

/** Largest value of one amount, USD: sums of such values are finite. */
const MAX_WORTH = 1e18;

/** An object that may have amounts, and its faults. */
interface Holder {
  readonly sent: SentAmounts;
  readonly faults: Faults;
}

/** What follows from amounts; collateral and N where both sides are sent. */
export interface Valued {
  readonly collateral_weights?: WeightMap;
  readonly loan_weights: WeightMap;
  readonly loan_value: number;
  readonly N?: number;
}

/** The members that follow, and the amounts behind them. */
const FOLLOWS: Readonly<Record<AmountSides, Follows>> = {
  both: {
    N: ['collateral', 'N is the value of collateral over that of loan'],
    collateral_weights: ['collateral', 'weights are shares of the value of collateral'],
    loan_weights: ['loan', 'weights are shares of the value of loan'],
    loan_value: ['loan', 'loan_value is the value of loan'],
  },
  loan: {
    loan_weights: ['loan', 'weights are shares of the value of loan'],
    loan_value: ['loan', 'loan_value is the value of loan'],
  },
};

export const hasAmounts = ({ collateral, loan }: SentAmounts, sides: AmountSides): boolean =>
  loan !== undefined || (sides === 'both' && collateral !== undefined);

interface Amounts {
  readonly collateral: WeightMap | undefined;
  readonly loan: WeightMap;
}

const symbolsIn = ({ collateral = {}, loan }: Amounts) => [...Object.keys(collateral), ...Object.keys(loan)];

/** The amounts of a body before their prices are known. */
export interface UnvaluedAmounts {
  /** Undefined where no close is needed. */
  readonly wanted: WantedPrices | undefined;
  /** What follows for each holder in order; undefined for one without amounts, or with faulty ones. The prices at which amounts are valued. */
  value(closes: Closes): {
    readonly valued: readonly (Valued | undefined)[];
    readonly prices: WeightMap | undefined;
  };
}

/**
 * @param params the members around all holders: `prices`, `analysis_date`, `loans`
 * @param faults of `params`
 */
export function amountsOf(
  holders: readonly Holder[],
  sides: AmountSides,
  params: { readonly prices?: WeightMap | undefined; readonly analysis_date: Day },
  faults: Faults,
): UnvaluedAmounts {
  const given = holders.filter(({ sent }) => hasAmounts(sent, sides));
  const read = new Map(given.map(holder => [holder, amountsIn(holder, sides)]));
  const all = [...read.values()].flatMap(each => each ?? []);
  const known = faults.touch('prices') ? undefined : (params.prices ?? {});
  const used = new Set(all.flatMap(symbolsIn));
  const missing = [...used].filter(symbol => known !== undefined && !Object.hasOwn(known, symbol));
  if (given.length === 0 && params.prices !== undefined)
    faults.say('not_allowed', ['prices'], 'must be absent, because no amounts are sent');
  const tooMany = missing.length > MAX_SYMBOLS;
  if (tooMany)
    faults.say(
      'out_of_range',
      ['loans'],
      `must be such that all amounts name at most ${MAX_SYMBOLS} distinct symbols; got ${used.size} of them`,
    );
  const date = faults.touch('analysis_date') ? undefined : params.analysis_date;
  return {
    wanted: missing.length === 0 || tooMany ? undefined : { symbols: missing, date },
    value(closes) {
      const prices =
        given.length === 0 || known === undefined || tooMany
          ? undefined
          : pricesFrom(known, missing, closes, all.length === given.length ? used : undefined, faults);
      const valued = holders.map(holder => {
        if (!hasAmounts(holder.sent, sides)) return undefined;
        const amounts = read.get(holder);
        const found = amounts && prices && followingFrom(amounts, prices, holder.faults);
        if (found !== undefined) holder.faults.follow(FOLLOWS[sides]);
        return found ?? holder.faults.spoil(...Object.keys(FOLLOWS[sides]).map(name => [name]));
      });
      return { valued, prices: prices && alphabetical(prices) };
    },
  };
}

/** The amounts of an object; undefined where they, or members beside them, have faults. */
function amountsIn({ sent, faults }: Holder, sides: AmountSides): Amounts | undefined {
  const { collateral, loan } = sent;
  const alone = sides === 'both' && (collateral === undefined) !== (loan === undefined);
  if (alone) {
    const name = loan === undefined ? 'loan' : 'collateral';
    return faults.say('missing', [name], 'is missing; amounts are sent of both sides: collateral and loan');
  }
  const beside = [...Object.keys(FOLLOWS[sides]), ...(sides === 'both' ? ['initial_ltv'] : [])].filter(
    name => sent[name] !== undefined,
  );
  for (const name of beside)
    faults.say(
      'not_allowed',
      [name],
      `must be absent where amounts are sent, from which it follows, or send no amounts; got ${show(sent[name])}`,
    );
  if (beside.length > 0 || loan === undefined || faults.touch('collateral', 'loan')) return undefined;
  return { collateral: sides === 'both' ? collateral : undefined, loan };
}

/** The prices of amounts, those of the market where none is sent. @param used assets of the amounts; absent where not all are known */
function pricesFrom(
  sent: WeightMap,
  missing: readonly string[],
  closes: Closes,
  used: ReadonlySet<string> | undefined,
  faults: Faults,
): ReadonlyMap<string, number> {
  const prices = new Map(Object.entries(sent));
  for (const symbol of missing) {
    const close = closes.get(symbol);
    if (close !== undefined && 'price' in close && !close.carried) prices.set(symbol, close.price);
    else faults.say('no_data', ['prices', symbol], `must be sent: ${missingReason(close)}`);
  }
  const dollar = sent[DOLLAR] ?? 1;
  if (dollar !== 1)
    faults.say(
      'out_of_range',
      ['prices', DOLLAR],
      `must be 1, or absent: prices are counted in it; got ${dollar}`,
    );
  for (const symbol of Object.keys(sent))
    if (used !== undefined && !used.has(symbol))
      faults.say('not_allowed', ['prices', symbol], `must be absent, because no amount is of ${symbol}`);
  return prices;
}

/** Why a close is no price. */
export function missingReason(close: Close | undefined): string {
  if (close === undefined || 'missing' in close) return close?.missing ?? 'no close is available';
  return `its last close, ${close.price}, is that of a day before, carried over a hole`;
}

/** Weights, value and N from amounts; undefined where a price is missing or a value is out of bounds. */
function followingFrom(
  { collateral, loan }: Amounts,
  prices: ReadonlyMap<string, number>,
  faults: Faults,
): Valued | undefined {
  const values = (side: WeightMap, member: string) =>
    Object.entries(side).flatMap(([symbol, amount]) => {
      const price = prices.get(symbol);
      // A missing price is reported already.
      if (price === undefined) return [];
      const worth = amount * price;
      if (worth > 0 && worth <= MAX_WORTH) return [[symbol, worth] as const];
      faults.say(
        'out_of_range',
        [member, symbol],
        `must be worth above 0 and at most ${MAX_WORTH} USD at its price of ${price}; got ${amount}`,
      );
      return [];
    });
  const total = (side: readonly (readonly [string, number])[]) => side.reduce((sum, [, usd]) => sum + usd, 0);
  const weights = (side: readonly (readonly [string, number])[]) => {
    const sum = total(side);
    return Object.fromEntries(side.map(([symbol, usd]) => [symbol, usd / sum]));
  };
  const pledged = collateral && values(collateral, 'collateral');
  const lent = values(loan, 'loan');
  const isWhole = (side: WeightMap, worth: readonly unknown[]) => Object.keys(side).length === worth.length;
  if (!isWhole(loan, lent) || (collateral && pledged && !isWhole(collateral, pledged))) return undefined;
  return {
    loan_weights: weights(lent),
    loan_value: total(lent),
    ...(pledged && { collateral_weights: weights(pledged), N: total(pledged) / total(lent) }),
  };
}
