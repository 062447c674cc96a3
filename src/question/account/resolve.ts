/** The reading of an account: its members, the rules of its venue, its prices, then the rules between them. */
import type { Day } from '../../text/calendar-date.ts';
import { DOLLAR } from '../../text/symbols.ts';
import { inOrder } from '../loan/resolve.ts';
import { missingReason } from '../request/amounts.ts';
import { Faults } from '../request/faults.ts';
import { readBody } from '../request/parse.ts';
import { shockedAssetsAreUsed } from '../request/price-shock.ts';
import type { Closes } from '../request/prices.ts';
import { alphabetical, type WeightMap } from '../request/weight-map.ts';
import type { Reading, Resolved, SentOn } from '../resolved.ts';
import type { DrawnMembers } from '../typed-request.ts';
import { accountRequest, MAX_ACCOUNT_ASSETS, type SentAccount } from './request.ts';
import { EVERY_OTHER } from './rules-schema.ts';
import { type MarketTiers, ofMarket, type RuleSet, type TierTable, type Venue } from './venues/rule-set.ts';
import { VENUES, type Venues } from './venues/venues.ts';

export type SentPosition = SentAccount['positions'][number];

/** A position with everything that follows. */
export interface AccountPosition extends SentPosition {
  readonly id: string;
  readonly settle: string;
  readonly mark_price: number;
  readonly funding_interval_hour: number;
}

export interface AccountTerms extends Omit<SentAccount, 'positions'>, DrawnMembers {
  readonly positions: readonly AccountPosition[];
  readonly haircuts: Readonly<Record<string, number>>;
  readonly intra_hour: 'bridge' | 'none';
  /** Start prices of all assets. */
  readonly prices: WeightMap;
}

export interface ResolvedAccount extends Resolved<AccountTerms> {
  /** Assets without USD, in the order of their numbers. */
  readonly assets: readonly string[];
  /** Assets that have a balance, or in which a position settles. */
  readonly currencies: readonly string[];
  readonly rules: RuleSet;
  /** The name of its venue; absent for rules of the request. */
  readonly venue?: string | undefined;
  /** The table of each position; absent where the rate of the server serves. */
  readonly tiers: readonly (TierTable | undefined)[];
}

const settlementOf = ({ settle, contract_type, market }: SentPosition): string =>
  settle ?? (contract_type === 'inverse' ? market : DOLLAR);

const intraHour = ({ intra_hour, feed_lag_hours }: SentAccount) =>
  intra_hour ?? (feed_lag_hours > 0 ? 'none' : 'bridge');

export const ACCOUNT_READING: Reading<ResolvedAccount> = {
  schema: accountRequest,
  read: (body, { today, resolve, venues = VENUES }: SentOn) =>
    readBody(accountRequest(today, resolve), body, ({ type, params }, issues, list) => {
      const faults = Faults.ofParams(issues, list);
      const isWhole = !faults.touch('positions', 'collateral');
      const used = isWhole ? symbolsOf(params) : { assets: [], currencies: [] };
      if (used.assets.length > MAX_ACCOUNT_ASSETS)
        faults.refuse(
          'out_of_range',
          ['positions'],
          `such that markets, collateral and settlement name at most ${MAX_ACCOUNT_ASSETS} distinct assets beside USD`,
          used.assets.length,
        );
      const venue = venueOf(params, venues, faults);
      const known = faults.touch('prices') ? {} : (params.prices ?? {});
      const wanted = used.assets.filter(symbol => !Object.hasOwn(known, symbol));
      const date: Day | undefined = faults.touch('analysis_date') ? undefined : params.analysis_date;
      return {
        wanted: wanted.length === 0 ? undefined : { symbols: wanted, date },
        resolve(closes) {
          if (isWhole) judge(params, used, faults);
          const prices = pricesOf(known, used.assets, closes, isWhole, faults);
          const rules = venue?.rules;
          const tiers = rules && isWhole ? tiersOf(params, venue, faults) : [];
          if (!isWhole || rules === undefined || !faults.none) return undefined;
          const positions = params.positions.map((row, i) =>
            positionOf(row, i, prices, rules.funding?.interval_hours, faults),
          );
          sameProcesses(positions, faults);
          const worth = Object.entries(params.collateral).reduce(
            (sum, [symbol, units]) => sum + units * (prices.get(symbol) ?? Number.NaN),
            0,
          );
          if (!(worth > 0))
            faults.refuse('out_of_range', ['collateral'], 'worth more than 0 USD at the start prices', worth);
          if (!faults.none) return undefined;
          const terms = {
            ...params,
            collateral: alphabetical(new Map(Object.entries(params.collateral))),
            haircuts: haircutsOf(params, used.currencies, rules),
            positions,
            intra_hour: intraHour(params),
            prices: alphabetical(new Map([...prices].filter(([symbol]) => symbol !== DOLLAR))),
          };
          const order = ['collateral', 'haircuts', 'positions', 'venue', 'rules', 'horizon_hours'];
          return {
            methodology: type,
            terms: inOrder(terms, order),
            ...used,
            rules,
            ...(params.venue === undefined ? {} : { venue: params.venue }),
            tiers,
          };
        },
      };
    }),
};

/** Assets but USD in alphabetical order, and the currencies of balances and settlements. */
function symbolsOf({ collateral, positions }: SentAccount) {
  const currencies = [...new Set([...Object.keys(collateral), ...positions.map(settlementOf)])].sort();
  const all = new Set([...currencies, ...positions.map(({ market }) => market)]);
  all.delete(DOLLAR);
  return { assets: [...all].sort(), currencies };
}

interface KnownVenue {
  readonly rules: RuleSet;
  readonly serverMargins: boolean;
  readonly name: string | undefined;
}

function venueOf({ venue, rules }: SentAccount, venues: Venues, faults: Faults): KnownVenue | undefined {
  if (faults.touch('venue', 'rules')) return undefined;
  if (venue === undefined) return rules && { rules: rules as RuleSet, serverMargins: false, name: undefined };
  const found: Venue | undefined = venues.get(venue);
  if (found === undefined)
    return faults.refuse('unknown_value', ['venue'], `one of ${[...venues.keys()].join(', ')}`, venue);
  return { rules: found, serverMargins: found.serverMargins === true, name: venue };
}

/** The rules between the members of an account whose positions and collateral have no faults. */
function judge(params: SentAccount, { assets, currencies }: ReturnType<typeof symbolsOf>, faults: Faults) {
  const { positions, haircuts = {}, slippage_growth: growth } = params;
  if (!faults.touch('haircuts'))
    for (const symbol of Object.keys(haircuts))
      if (symbol !== EVERY_OTHER && !currencies.includes(symbol))
        faults.say(
          'not_allowed',
          ['haircuts', symbol],
          `must be absent: it is neither collateral nor settlement (${currencies.join(', ')})`,
        );
  const first = new Map<string, number>();
  positions.forEach(({ id = '', hourly_volume }, i) => {
    const name = id === '' ? String(i + 1) : id;
    const known = first.get(name);
    if (known === undefined) first.set(name, i);
    else
      faults.refuse('repeated', ['positions', i, 'id'], `different from the id of position ${known}`, name);
    if (growth > 0 && !faults.touch('slippage_growth') && hourly_volume === undefined)
      faults.refuse(
        'missing',
        ['positions', i, 'hourly_volume'],
        'a volume in USD an hour, because slippage grows',
        undefined,
      );
  });
  faults.judge(params, [shockedAssetsAreUsed<SentAccount>([], () => assets)]);
}

/** Start prices of all assets, and of USD; missing ones have a fault. */
function pricesOf(
  sent: WeightMap,
  assets: readonly string[],
  closes: Closes,
  isWhole: boolean,
  faults: Faults,
): ReadonlyMap<string, number> {
  const prices = new Map<string, number>();
  for (const symbol of assets) {
    const close = closes.get(symbol);
    if (Object.hasOwn(sent, symbol)) prices.set(symbol, sent[symbol]);
    else if (close !== undefined && 'price' in close && !close.carried) prices.set(symbol, close.price);
    else faults.say('no_data', ['prices', symbol], `must be sent: ${missingReason(close)}`);
  }
  for (const symbol of Object.keys(sent)) {
    if (symbol === DOLLAR)
      faults.say('not_allowed', ['prices', DOLLAR], 'must be absent: prices are counted in it');
    else if (isWhole && !assets.includes(symbol))
      faults.say(
        'not_allowed',
        ['prices', symbol],
        `must be absent, because the account has nothing in ${symbol}`,
      );
  }
  prices.set(DOLLAR, 1);
  return prices;
}

/** The table of each position, its own or the venue's. */
function tiersOf(
  { positions }: SentAccount,
  { rules, serverMargins, name }: KnownVenue,
  faults: Faults,
): readonly (TierTable | undefined)[] {
  return positions.map(({ market, contract_type, tiers }, i) => {
    const ofVenue: MarketTiers | undefined =
      rules.tiers !== undefined && Object.hasOwn(rules.tiers, market) ? rules.tiers[market] : undefined;
    const table = tiers ?? ofVenue?.[contract_type];
    if (table !== undefined || serverMargins) return table;
    const held = Object.entries(rules.tiers ?? {}).flatMap(([symbol, of]) =>
      of[contract_type] === undefined ? [] : [symbol],
    );
    const where = name === undefined ? 'rules' : name;
    const bound = `a market with ${contract_type} tiers in ${where} (${held.join(', ') || 'it has none'}), or send tiers`;
    faults.refuse('unknown_value', ['positions', i, 'market'], bound, market);
    return undefined;
  });
}

function positionOf(
  row: SentPosition,
  i: number,
  prices: ReadonlyMap<string, number>,
  interval: number | undefined,
  faults: Faults,
): AccountPosition {
  const hours = row.funding_interval_hour ?? interval ?? Number.NaN;
  if (Number.isNaN(hours))
    faults.refuse(
      'missing',
      ['positions', i, 'funding_interval_hour'],
      'a number of hours, because the rules have no interval',
      undefined,
    );
  else if (typeof row.funding_rate === 'object' && !(Number.isInteger(hours) && hours >= 1))
    faults.refuse(
      'inconsistent',
      ['positions', i, 'funding_rate'],
      'no process where the interval is not whole',
      hours,
    );
  const size =
    row.position_size * ((row.contract_type === 'linear' ? row.contract_size : row.contract_value_usd) ?? 1);
  if (size === 0)
    faults.refuse(
      'out_of_range',
      ['positions', i, 'position_size'],
      'such that size times contract is no 0 in double precision',
      row.position_size,
    );
  return {
    ...row,
    id: row.id ?? String(i + 1),
    settle: settlementOf(row),
    mark_price: row.mark_price ?? (prices.get(row.market) as number),
    funding_interval_hour: hours,
  };
}

/** Rows of one contract have one rate. */
function sameProcesses(positions: readonly AccountPosition[], faults: Faults): void {
  const first = new Map<string, { readonly i: number; readonly text: string }>();
  positions.forEach((row, i) => {
    const { market, contract_type, funding_rate, funding_interval_hour } = row;
    const key = `${market} ${contract_type}`;
    const text = JSON.stringify([funding_rate, funding_interval_hour]);
    const known = first.get(key);
    if (known === undefined) first.set(key, { i, text });
    else if (
      known.text !== text &&
      (typeof funding_rate === 'object' || typeof positions[known.i].funding_rate === 'object')
    )
      faults.refuse(
        'inconsistent',
        ['positions', i, 'funding_rate'],
        `the process of position ${known.i}: rows of one contract have one rate`,
        funding_rate,
      );
  });
}

/** The haircut of each currency: the request's, else the venue's, else 0. */
function haircutsOf(
  { haircuts = {} }: SentAccount,
  currencies: readonly string[],
  { haircuts: ofVenue = {} }: RuleSet,
): Record<string, number> {
  const of = (symbol: string) => ofMarket(haircuts, symbol) ?? ofMarket(ofVenue, symbol) ?? 0;
  return Object.fromEntries(currencies.map(symbol => [symbol, of(symbol)]));
}

/** The member behind a series of the market. */
export function memberOfSeries({ terms }: ResolvedAccount, series: string): string | undefined {
  const row = terms.positions.findIndex(({ market }) => market === series);
  if (row >= 0) return `params.positions.${row}.market`;
  if (Object.hasOwn(terms.collateral, series)) return `params.collateral.${series}`;
  const settling = terms.positions.findIndex(({ settle }) => settle === series);
  return settling >= 0 ? `params.positions.${settling}.settle` : undefined;
}
