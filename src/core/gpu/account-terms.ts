/** The terms of an account on the GPU: the struct, and the data of rows, currencies and hours (shaders/product/account*.wgsl). */
import type { HourLaw } from '../account/hour-law.ts';
import { inUnits, processNumbers } from '../account/in-units.ts';
import { REACH, REACH_OF_ROOT } from '../account/touch.ts';
import { CLOSING_ORDERS, CLOSING_RULES, type CloseTerms, type VenueTerms } from '../plan/product/account.ts';
import { settlementsPerStep } from '../plan/product/perpetual.ts';
import { type AccountOnPath, NEVER } from '../product/account.ts';
import { named, placesOf } from './kernels.ts';
import { f32, struct, u32, wordsOf } from './struct-layout.ts';

export const ACCOUNT_TERMS = struct('Terms', {
  exposure: f32,
  first_run: u32,
  times: u32,
  listed: u32,
  parts: u32,
  rows: u32,
  currencies: u32,
  assets: u32,
  rows_at: u32,
  currencies_at: u32,
  dues_at: u32,
  correlation_at: u32,
  scale_at: u32,
  paths_at: u32,
  processes: u32,
  processes_at: u32,
  of_returns: u32,
  debits_only: u32,
  strict: u32,
  margin_call: f32,
  reserved: f32,
  bridge: f32,
  reach: f32,
  reach_of_root: f32,
  slope_of_notionals: f32,
  slope_of_values: f32,
  lag: u32,
  start_status: u32,
  start_excess: f32,
  start_call_excess: f32,
  start_bound: f32,
  start_peak: f32,
  start_drawdown: f32,
  start_equity: f32,
  rule: u32,
  share: f32,
  share_count: u32,
  share_target: f32,
  buffer: f32,
  order: u32,
  portion: f32,
  above: f32,
  again: u32,
  tier_steps: u32,
  fee_rate: f32,
  maintenance_fee: f32,
  has_maintenance_fee: u32,
  fee_ends_at_bankruptcy: u32,
  backstop: f32,
  rest_to_fund: u32,
  bankruptcy_by_share: u32,
  unfilled: u32,
  fund_pays_costs: u32,
  conversion_cost: f32,
  slippage: f32,
  slippage_growth: f32,
  notionals_at_start: f32,
});
type TermValues = Parameters<typeof wordsOf<Parameters<typeof ACCOUNT_TERMS.write>[2]>>[1];

const CALLED = 1;
const ENDED = 2;
const INVERSE = 1;
const IN_COINS = 2;
const UNFILLED = ['bankruptcy', 'open', 'mark'] as const satisfies readonly VenueTerms['unfilled'][];
/** Above every depth, in singles. */
const UNLIMITED = 3e38;

const ROW = ['asset', 'currency', 'kind', 'slope', 'start', 'size', 'funding', 'dues', 'tiers', 'tiersEnd'];
const ROW_PLACES = [...ROW, 'side', 'depth', 'volume', 'open', 'process'];
const CURRENCY_PLACES = ['asset', 'credit', 'debt', 'balance', 'value'];
const TIER_PLACES = ['rate', 'deduction', 'from'];
const PROCESS_NUMBERS = [
  ...(['phi', 'byReturn', 'byNormal', 'mean', 'start', 'perWeight'] as const),
  ...(['interest', 'clamp', 'eights', 'cap', 'lowest', 'highest'] as const),
];
const PROCESS_PLACES = ['asset', 'rank', 'kind', 'interval', ...PROCESS_NUMBERS];
/** Bits of the kind of a process; no process of a row. */
const PREMIUM = 1;
const LINEAR = 2;
const NO_PROCESS = 0xffffffff;

/** Constants of the data, the rules and the status. */
export const ACCOUNT_CONSTANTS = {
  ...named('ACCOUNT_ROW', { ...placesOf(ROW_PLACES), words: ROW_PLACES.length }),
  ...named('ACCOUNT_CURRENCY', { ...placesOf(CURRENCY_PLACES), words: CURRENCY_PLACES.length }),
  ...named('ACCOUNT_TIER', { ...placesOf(TIER_PLACES), words: TIER_PLACES.length }),
  ...named('PROCESS', { ...placesOf(PROCESS_PLACES), words: PROCESS_PLACES.length }),
  ...{ PROCESS_PREMIUM: PREMIUM, PROCESS_LINEAR: LINEAR },
  ...named('CLOSE', placesOf(CLOSING_RULES)),
  ...named('ORDER', placesOf(CLOSING_ORDERS)),
  ...{ UNFILLED_OPEN: UNFILLED.indexOf('open'), UNFILLED_MARK: UNFILLED.indexOf('mark') },
  ...{ ACCOUNT_CALLED: CALLED, ACCOUNT_ENDED: ENDED, ACCOUNT_INVERSE: INVERSE, ACCOUNT_IN_COINS: IN_COINS },
};

/** Words and numbers one after another. */
class DataWords {
  private readonly words: number[] = [];
  private readonly bits = new Uint32Array(1);
  private readonly single = new Float32Array(this.bits.buffer);

  /** The place of the next word. */
  get place(): number {
    return this.words.length;
  }

  /** @returns the place of the first */
  put(...words: readonly number[]): number {
    const { place } = this;
    for (const word of words) this.words.push(word);
    return place;
  }

  /** @returns the place of the first */
  putReals(...reals: readonly number[]): number {
    const { place } = this;
    for (const real of reals) {
      this.single[0] = real;
      this.words.push(this.bits[0]);
    }
    return place;
  }

  all(): Uint32Array<ArrayBuffer> {
    return Uint32Array.from(this.words);
  }
}

/** How many places of rows and currencies a kernel has, at least as many as there are. */
export interface AccountPlaces {
  readonly rows: number;
  readonly currencies: number;
}

/**
 * The data of an account, and its terms for each run over the paths, from 0.
 *
 * @param account at the start, after a shock (`AccountOnPath.begin`)
 * @param times those of the fan; `paths`: numbers of the draws of the paths, in a run for the parts of losses
 */
export function accountTerms(
  account: AccountOnPath,
  { correlation, scale, isOfNormals }: HourLaw,
  shock: Float64Array,
  places: AccountPlaces,
  { times, paths }: { readonly times: number; readonly paths: Uint32Array | undefined },
) {
  const { state, equityAtStart: equity, account: prepared } = account;
  const { product, assets } = prepared;
  const { rows, currencies } = inUnits(prepared, { shock, equity });
  const data = new DataWords();

  const intervals = [...new Set(rows.map(({ fundingIntervalHours }) => fundingIntervalHours))];
  const settlements = intervals.map(hours => settlementsPerStep(product.steps, hours));
  const dues = settlements.map(each => data.put(...each));
  const anyDue = Uint32Array.from({ length: product.steps }, (_, t) =>
    Number(settlements.some(each => each[t] > 0)),
  );
  const duesAt = data.put(...anyDue);
  const tiers = rows.map(row => {
    const first = data.place;
    for (const { rate, deduction, from } of row.tiers) data.putReals(rate, deduction, from);
    return [first, data.place] as const;
  });
  const rowsAt = data.place;
  for (let i = 0; i < places.rows; i++) {
    const row = rows[i];
    if (row === undefined) {
      // Nothing is open there.
      data.put(assets, 0, 0, 0, 0, 0, 0, duesAt, 0, 0, 0, 0, 0, 0, NO_PROCESS);
      continue;
    }
    data.put(row.asset, row.currency, (row.inverse ? INVERSE : 0) + (row.coin ? IN_COINS : 0));
    data.putReals(row.slope, row.start, row.size, row.funding);
    data.put(dues[intervals.indexOf(row.fundingIntervalHours)], ...tiers[i]);
    data.putReals(row.side, Math.min(row.depth, UNLIMITED), row.perVolume, state.open[i]);
    data.put(row.process ?? NO_PROCESS);
  }
  const currenciesAt = data.place;
  for (let c = 0; c < places.currencies; c++) {
    const currency = currencies[c];
    data.put(currency?.asset ?? assets);
    if (currency === undefined) {
      data.putReals(1, 1, 0, 0);
      continue;
    }
    const balance = (state.balance[c] * shock[currency.asset]) / equity;
    data.putReals(currency.credit, currency.debt, balance, state.value[c] / equity);
  }
  const correlationAt = data.putReals(...correlation);
  const scaleAt = data.putReals(...scale);
  const pathsAt = data.put(...(paths ?? []));
  const processesAt = data.place;
  for (const process of product.processes) {
    const numbers = processNumbers(process);
    const { asset, rank, intervalHours, linearWeights } = process;
    data.put(asset, rank, (numbers.isPremium ? PREMIUM : 0) + (linearWeights ? LINEAR : 0), intervalHours);
    data.putReals(...PROCESS_NUMBERS.map(name => numbers[name]));
  }

  const callExcess = state.marginEquity - state.required / product.marginCallRatio;
  const values: Omit<TermValues, 'first_run'> = {
    times,
    exposure: account.leverages > 0 ? account.leverage[0] : 0,
    listed: Number(paths !== undefined),
    parts: Number(paths !== undefined),
    rows: rows.length,
    currencies: currencies.length,
    assets,
    rows_at: rowsAt,
    currencies_at: currenciesAt,
    dues_at: duesAt,
    correlation_at: correlationAt,
    scale_at: scaleAt,
    paths_at: pathsAt,
    processes: product.processes.length,
    processes_at: processesAt,
    of_returns: Number(!isOfNormals),
    debits_only: Number(product.debitsOnly),
    margin_call: 1 / product.marginCallRatio,
    reserved: prepared.reserved,
    bridge: product.bridgeVariance,
    reach: REACH * Math.sqrt(product.bridgeVariance),
    reach_of_root: REACH_OF_ROOT * Math.sqrt(product.bridgeVariance),
    slope_of_notionals: prepared.slopeOfNotionals,
    slope_of_values: prepared.slopeOfValues,
    lag: product.feedLagHours,
    start_status: (account.callHour === NEVER ? 0 : CALLED) + (account.isOver ? ENDED : 0),
    start_excess: state.excess / equity,
    start_call_excess: callExcess / equity,
    start_bound: state.slopeBound / equity,
    start_peak: account.peak / equity,
    start_drawdown: account.maxEquityDrawdown / equity,
    start_equity: account.equity / equity,
    slippage: product.slippage,
    slippage_growth: product.slippageGrowth,
    notionals_at_start: prepared.notional.reduce((sum, each) => sum + each, 0) / equity,
    ...venueValues(product.venue, equity),
    ...closeValues(product.venue.close),
  };
  return {
    data: data.all(),
    terms: (run: number): Uint32Array<ArrayBuffer> =>
      wordsOf(ACCOUNT_TERMS, { ...values, first_run: Number(run === 0) }),
  };
}

const venueValues = (venue: VenueTerms, equity: number) => ({
  strict: Number(venue.strict),
  fee_rate: venue.feeRate,
  maintenance_fee: venue.maintenanceFee ?? 0,
  has_maintenance_fee: Number(venue.maintenanceFee !== undefined),
  fee_ends_at_bankruptcy: Number(venue.feeCap === 'bankruptcy'),
  backstop: venue.backstop,
  rest_to_fund: Number(venue.rest === 'fund'),
  bankruptcy_by_share: Number(venue.bankruptcy === 'share'),
  unfilled: UNFILLED.indexOf(venue.unfilled),
  fund_pays_costs: Number(venue.costs === 'fund'),
  conversion_cost: venue.conversionCost,
  above: (venue.close.above ?? 0) / equity,
});

function closeValues(close: CloseTerms) {
  const { rule, share = 1, target = 1, buffer = 0, order = 'listed', portion = 1, again, steps = 1 } = close;
  let count = 0;
  while ((count + 1) * share < 1) count++;
  return {
    ...{
      rule: CLOSING_RULES.indexOf(rule),
      share,
      share_count: count,
      share_target: target,
      buffer,
      portion,
    },
    ...{ order: CLOSING_ORDERS.indexOf(order), again: Number(again === true), tier_steps: steps },
  };
}
