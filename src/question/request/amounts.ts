/**
 * Amounts in units of assets in place of weights, N and loan_value: `collateral: {"BTC": 12.5}`, `loan: {"USDC": 400000}`.
 *
 * Takes: a body of any shape, and prices. Gives: fields, and the body with the members that follow from its amounts. Must not know: the
 * source of prices, the operations.
 */
import type { Fault } from '../../core/errors.ts';
import { type Day, parseCalendarDate } from '../../text/calendar-date.ts';
import { dottedPath, isObject, issue, show } from '../../text/message.ts';
import { DOLLAR, MAX_SYMBOLS, type ResolveSymbol } from '../../text/symbols.ts';
import { meaning, SYMBOL } from './fields.ts';
import type { Checked } from './parse.ts';
import type { Rule } from './rules.ts';
import { alphabetical, symbolMap } from './weight-map.ts';

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

interface Sent {
  readonly collateral?: unknown;
  readonly loan?: unknown;
  readonly collateral_weights?: unknown;
  readonly loan_weights?: unknown;
  readonly loan_value?: unknown;
}

/** Weights and the value are sent, or follow from amounts. This rule comes first: the next ones ignore absent members. */
export const basketsAreSent: Rule<Sent> = [
  (value, context) => {
    const missing = (name: keyof Sent, bound: string) => {
      if (value[name] === undefined) context.addIssue(issue([name], bound, undefined));
    };
    missing('collateral_weights', 'an object of symbols and weights, or collateral in its place');
    missing('loan_weights', 'an object of symbols and weights, or loan in its place');
    missing('loan_value', 'a value in USD, or loan in its place');
  },
  { when: ({ value }) => isObject(value) },
];

/** The amounts that an operation takes. */
export type AmountSides = 'both' | 'loan';

/** Most reported faults of amounts: a book has up to 100,000 loans. */
const MAX_FAULTS = 100;

/** Largest value of one amount, USD: sums of such values are finite. */
const MAX_WORTH = 1e18;

/** A close of an asset, or the reason for its absence. */
export type Close = { readonly price: number; readonly carried: boolean } | { readonly missing: string };

/** Closes at the end of the window of a request. */
export interface WantedPrices {
  /** At most `MAX_SYMBOLS`. */
  readonly symbols: readonly string[];
  /** `analysis_date`, where it is a day. */
  readonly date: Day | undefined;
}
export type PricesOf = (wanted: WantedPrices) => Promise<ReadonlyMap<string, Close>>;

/** A body after the valuation of its amounts. */
interface ValuedBody {
  readonly body: unknown;
  /** Of amounts without a price, or beside the weights that they replace. */
  readonly faults: readonly Fault[];
  /** Faults of the body as faults of its amounts. */
  toSent(faults: readonly Fault[]): readonly Fault[];
}

/** An object with amounts: `params`, or a row of its loans. */
interface Holder {
  readonly path: readonly (string | number)[];
  readonly sent: Readonly<Record<string, unknown>>;
}

/** The body with the members that follow from its amounts; without amounts, the body itself. */
async function withAmounts(
  body: unknown,
  sides: AmountSides,
  resolve: ResolveSymbol,
  pricesOf: PricesOf,
): Promise<ValuedBody> {
  const holders = holdersOf(body, sides);
  const { params = undefined } = isObject(body) ? body : {};
  if (holders.length === 0 || !isObject(params)) {
    const isSurplus = isObject(params) && params.prices !== undefined;
    const faults = isSurplus
      ? [faultAt(['params', 'prices'], 'must be absent, because no amounts are sent')]
      : [];
    return { body, faults, toSent: others => others };
  }
  const maps = holders.map(holder => readHolder(holder, sides, resolve));
  const symbols = new Set(maps.flatMap(each => (each === undefined ? [] : each.symbols)));
  // Its own rule refuses a longer list.
  const faults: Fault[] = holders.flatMap(holder => formFaults(holder, sides)).slice(0, MAX_FAULTS);
  const sent = readMap(params.prices, resolve);
  const wanted = [...symbols].filter(symbol => !sent?.has(symbol));
  if (wanted.length > MAX_SYMBOLS)
    faults.push(
      faultAt(
        ['params', 'loans'],
        `must be such that all amounts name at most ${MAX_SYMBOLS} distinct symbols; got ${symbols.size} of them`,
      ),
    );
  const paths = new Set(holders.map(({ path }) => dottedPath(path)));
  const unvalued = {
    body: withMembers(
      body,
      new Map(holders.map(({ path, sent }) => [dottedPath(path), { ...STAND_INS[sides], ...sent }])),
    ),
    faults,
    toSent: (others: readonly Fault[]) => others.filter(isNotOf(paths)),
  };
  if (faults.length > 0 || (params.prices !== undefined && sent === undefined)) return unvalued;
  const closes = wanted.length === 0 ? new Map() : await pricesOf({ symbols: wanted, date: dateOf(params) });
  const prices = new Map(sent);
  for (const symbol of wanted) {
    const close: Close | undefined = closes.get(symbol);
    if (close !== undefined && 'price' in close && !close.carried) prices.set(symbol, close.price);
    else faults.push(priceFault(symbol, `must be sent: ${missingReason(close)}`));
  }
  const dollar = sent?.get(DOLLAR) ?? 1;
  if (dollar !== 1)
    faults.push(priceFault(DOLLAR, `must be 1, or absent: prices are counted in it; got ${dollar}`));
  const read = maps.flatMap(each => each ?? []);
  const allRead = read.length === maps.length;
  if (allRead) {
    const worth = holders.flatMap((holder, i) => worthFaults(holder, maps[i], prices));
    faults.push(...worth.slice(0, MAX_FAULTS));
  }
  const unused = [...(sent?.keys() ?? [])].filter(symbol => allRead && !symbols.has(symbol));
  for (const symbol of unused)
    faults.push(priceFault(symbol, `must be absent, because no amount is of ${symbol}`));
  return faults.length === 0 && allRead ? valued(body, holders, read, prices) : unvalued;
}

/** Params and rows with amounts. */
function holdersOf(body: unknown, sides: AmountSides): Holder[] {
  if (!isObject(body) || !isObject(body.params)) return [];
  const has = (sent: unknown) =>
    isObject(sent) && (sent.loan !== undefined || (sides === 'both' && sent.collateral !== undefined));
  const { params } = body;
  const own: Holder[] = has(params) ? [{ path: ['params'], sent: params }] : [];
  const { loans } = params;
  if (!Array.isArray(loans)) return own;
  return loans.reduce<Holder[]>((found, sent, k) => {
    if (has(sent)) found.push({ path: ['params', 'loans', k], sent });
    return found;
  }, own);
}

interface Amounts {
  readonly collateral: ReadonlyMap<string, number> | undefined;
  readonly loan: ReadonlyMap<string, number>;
  readonly symbols: readonly string[];
}

/** Valid amounts; undefined where their schema refuses them. */
function readHolder({ sent }: Holder, sides: AmountSides, resolve: ResolveSymbol): Amounts | undefined {
  const loan = readMap(sent.loan, resolve);
  const collateral = sides === 'both' ? readMap(sent.collateral, resolve) : undefined;
  if (loan === undefined || (sides === 'both' && collateral === undefined)) return undefined;
  return { collateral, loan, symbols: [...(collateral?.keys() ?? []), ...loan.keys()] };
}

function readMap(sent: unknown, resolve: ResolveSymbol): ReadonlyMap<string, number> | undefined {
  if (!isObject(sent)) return undefined;
  const entries = Object.entries(sent);
  if (entries.length < 1 || entries.length > MAX_SYMBOLS) return undefined;
  const read = new Map<string, number>();
  for (const [key, value] of entries) {
    if (!SYMBOL.test(key) || typeof value !== 'number' || !(value > 0) || !Number.isFinite(value))
      return undefined;
    read.set(resolve(key.toUpperCase()), value);
  }
  return read.size === entries.length ? read : undefined;
}

const dateOf = ({ analysis_date }: Readonly<Record<string, unknown>>): Day | undefined =>
  typeof analysis_date === 'string' ? parseCalendarDate(analysis_date) : undefined;

/** Faults of amounts beside the weights that they replace, and of one side without the other. */
function formFaults({ path, sent }: Holder, sides: AmountSides): Fault[] {
  const alone = sides === 'both' && (sent.collateral === undefined) !== (sent.loan === undefined);
  if (alone) {
    const name = sent.loan === undefined ? 'loan' : 'collateral';
    const rest = `is missing; amounts are sent of both sides: collateral and loan${ofLoan(sent)}`;
    return [faultAt([...path, name], rest)];
  }
  const other = [
    'loan_weights',
    'loan_value',
    ...(sides === 'loan' ? [] : ['collateral_weights', 'N', 'initial_ltv']),
  ];
  return other
    .filter(name => sent[name] !== undefined)
    .map(name =>
      faultAt(
        [...path, name],
        `must be absent where amounts are sent, from which it follows, or send no amounts; got ${show(sent[name])}${ofLoan(sent)}`,
      ),
    );
}

/** Faults of amounts whose value gives no weights. */
function worthFaults(
  { path, sent }: Holder,
  amounts: Amounts | undefined,
  prices: ReadonlyMap<string, number>,
): Fault[] {
  return (['collateral', 'loan'] as const).flatMap(side =>
    [...(amounts?.[side] ?? [])].flatMap(([symbol, amount]) => {
      const price = prices.get(symbol);
      const worth = amount * Number(price);
      // A missing price is reported already.
      if (price === undefined || (worth > 0 && worth <= MAX_WORTH)) return [];
      return [
        faultAt(
          [...path, side, symbol],
          `must be worth above 0 and at most ${MAX_WORTH} USD at its price of ${price}; got ${amount}${ofLoan(sent)}`,
        ),
      ];
    }),
  );
}

/** The id of a row: an index in a long list is hard to find. */
const ofLoan = ({ id }: Readonly<Record<string, unknown>>) =>
  typeof id === 'string' ? ` (loan ${show(id)})` : '';

/** A fault that begins with its member, without the envelope's `params`. */
const faultAt = (path: readonly (string | number)[], rest: string): Fault => ({
  path: dottedPath(path),
  message: `${dottedPath(path.slice(1))} ${rest}`,
});
const priceFault = (symbol: string, rest: string) => faultAt(['params', 'prices', symbol], rest);

function missingReason(close: Close | undefined): string {
  if (close === undefined || 'missing' in close) return close?.missing ?? 'no close is available';
  return `its last close, ${close.price}, is that of a day before, carried over a hole`;
}

/** Placeholders of members that follow from amounts, for the check of all other members. */
const STAND_INS = {
  both: { collateral_weights: { BTC: 1 }, loan_weights: { USD: 1 }, loan_value: 1, N: 1 },
  loan: { loan_weights: { USD: 1 }, loan_value: 1 },
} as const;

const FOLLOWING =
  /^(params(?:\.loans\.\d+)?)\.(N|initial_ltv|collateral_weights|loan_weights|loan_value|called_hours_ago)(\..*)?$/;

/** Whether a fault is of a member without a placeholder. @param paths of objects with amounts */
const isNotOf =
  (paths: ReadonlySet<string>) =>
  ({ path }: Fault): boolean => {
    const found = FOLLOWING.exec(path);
    return found === null || !paths.has(found[1]);
  };

/** The body with `members` added to `params` and its rows, by their paths. */
function withMembers(
  body: unknown,
  members: ReadonlyMap<string, Readonly<Record<string, unknown>>>,
  shown: object = {},
): unknown {
  const { params } = body as { readonly params: Readonly<Record<string, unknown>> };
  const { loans } = params;
  const rows = Array.isArray(loans)
    ? {
        loans: loans.map((row, k) => {
          const own = members.get(`params.loans.${k}`);
          return own === undefined ? row : { ...row, ...own };
        }),
      }
    : {};
  return { ...(body as object), params: { ...params, ...shown, ...rows, ...members.get('params') } };
}

function valued(
  body: unknown,
  holders: readonly Holder[],
  maps: readonly Amounts[],
  prices: ReadonlyMap<string, number>,
): ValuedBody {
  const followed = new Map(
    holders.map(({ path }, i) => [dottedPath(path), membersOf(maps[i], prices)] as const),
  );
  const shown = { prices: alphabetical(prices) };
  return {
    body: withMembers(body, followed, shown),
    faults: [],
    toSent: faults => faults.map(fault => atAmount(fault, followed)),
  };
}

/** Weights, value and N from amounts. */
function membersOf({ collateral, loan }: Amounts, prices: ReadonlyMap<string, number>) {
  const values = (side: ReadonlyMap<string, number>) =>
    [...side].map(([symbol, amount]) => [symbol, amount * Number(prices.get(symbol))] as const);
  const total = (side: readonly (readonly [string, number])[]) => side.reduce((sum, [, usd]) => sum + usd, 0);
  const weights = (side: readonly (readonly [string, number])[]) => {
    const sum = total(side);
    return Object.fromEntries(side.map(([symbol, usd]) => [symbol, usd / sum]));
  };
  const lent = values(loan);
  const pledged = collateral && values(collateral);
  return {
    loan_weights: weights(lent),
    loan_value: total(lent),
    ...(pledged && { collateral_weights: weights(pledged), N: total(pledged) / total(lent) }),
  };
}

const FOLLOWS: Readonly<Record<string, readonly [member: string, words: string] | undefined>> = {
  N: ['collateral', 'N is the value of collateral over that of loan'],
  collateral_weights: ['collateral', 'weights are shares of the value of collateral'],
  loan_weights: ['loan', 'weights are shares of the value of loan'],
  loan_value: ['loan', 'loan_value is the value of loan'],
};

/** A fault of a member that follows from amounts, as a fault of the amounts. */
function atAmount(fault: Fault, followed: ReadonlyMap<string, unknown>): Fault {
  const found = FOLLOWING.exec(fault.path);
  if (found === null || !followed.has(found[1])) return fault;
  const follows = FOLLOWS[found[2]];
  if (follows === undefined) return fault;
  const [member, words] = follows;
  return { path: `${found[1]}.${member}${found[3] ?? ''}`, message: `${fault.message} (${words})` };
}

/** Values the amounts of a body, then reads it. @param read reads a body without amounts */
export async function readWithAmounts<T>(
  body: unknown,
  sides: AmountSides | undefined,
  resolve: ResolveSymbol,
  pricesOf: PricesOf,
  read: (body: unknown) => Checked<T>,
): Promise<Checked<T>> {
  if (sides === undefined) return read(body);
  const { body: completed, faults, toSent } = await withAmounts(body, sides, resolve, pricesOf);
  const checked = read(completed);
  if (checked.ok) return faults.length === 0 ? checked : { ok: false, faults };
  const all = [...faults, ...toSent(checked.faults)];
  return { ok: false, faults: all.length === 0 ? checked.faults : all };
}
