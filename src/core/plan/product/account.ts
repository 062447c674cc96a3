/** A cross-margined account of perpetuals: terms, outcome and contract (docs/accounts.md). */
import type { Sections } from '../distribution.ts';
import {
  anyLength,
  type Declared,
  doubles,
  type Faults,
  flag,
  listOf,
  notNegative,
  number,
  object,
  oneOf,
  optional,
  perAsset,
  positive,
  whole,
  words,
} from '../fields.ts';
import { HOURS_PER_DAY, MAX_STEPS } from '../grid.ts';
import type { Scenarios } from '../models.ts';
import { HOURLY, type ProductContract, USUAL_STEPS } from './contract.ts';

/** Names of the closing rules, each a file of src/core/account/close. */
export const CLOSING_RULES = ['all', 'share', 'enough', 'one', 'portion', 'tier'] as const;
export type ClosingRuleName = (typeof CLOSING_RULES)[number];
export const CLOSING_ORDERS = ['pnl', 'maintenance', 'listed'] as const;

/** A closing rule with the members that it uses. */
const CLOSE_FIELDS = {
  rule: oneOf(...CLOSING_RULES),
  /** share: the smallest part s, and the target of requirement over equity. */
  share: optional(number({ above: 0, most: 1 })),
  target: optional(positive),
  /** enough: b of E / (1 + b). */
  buffer: optional(notNegative),
  /** one. */
  order: optional(oneOf(...CLOSING_ORDERS)),
  /** portion: part of a row above so many USD; `again`: rows take turns until the account is healthy. */
  portion: optional(number({ above: 0, most: 1 })),
  above: optional(notNegative),
  again: optional(flag),
  /** tier. */
  steps: optional(whole(1, 16)),
};
const close = object(CLOSE_FIELDS);
export interface CloseTerms extends Declared<typeof CLOSE_FIELDS> {}

/** What a venue decides, beside its haircuts, tiers and funding. */
const VENUE_FIELDS = {
  /** Liquidatable at E < M, else at E <= M. */
  strict: flag,
  close,
  /** Fee of a forced close: a fraction of the notional, or, where present, of the maintenance margin. */
  feeRate: notNegative,
  maintenanceFee: optional(notNegative),
  feeCap: oneOf('equity', 'bankruptcy'),
  /** Whether the fee is set aside with the maintenance margin. */
  reserveFee: flag,
  /** The fund takes the account where E < backstop x M; 0: never. */
  backstop: notNegative,
  /** Who has what is left after the last position. */
  rest: oneOf('account', 'fund'),
  bankruptcy: oneOf('whole', 'share'),
  unfilled: oneOf('bankruptcy', 'open', 'mark'),
  /** Who pays slippage. */
  costs: oneOf('account', 'fund'),
  /** Fraction of the smaller of debts and credits, paid once no position is left. */
  conversionCost: notNegative,
};
export interface VenueTerms extends Declared<typeof VENUE_FIELDS> {}

const TIER_FIELDS = {
  /** b, the first notional of the tier: USD, or coins. */
  from: notNegative,
  /** r. */
  rate: number({ above: 0, most: 1 }),
  /** d. */
  deduction: number(),
};
/** Maintenance of x is max(0, max_k (r_k x - d_k)). */
export interface Tier extends Declared<typeof TIER_FIELDS> {}

const CURRENCY_FIELDS = {
  /** Its asset; the number of assets for USD. */
  asset: whole(0, 32),
  /** USD of a unit at the start, before a shock. */
  price: positive,
  /** Units, negative for a debt. */
  balance: number(),
  haircut: number({ least: 0, most: 1 }),
  debtMarkup: notNegative,
};
export interface AccountCurrency extends Declared<typeof CURRENCY_FIELDS> {}

const ROW_FIELDS = {
  asset: whole(0, 31),
  /** Place of the settlement currency. */
  currency: whole(0, 64),
  inverse: flag,
  /** linear: q in asset units; inverse: n in USD. Negative is short. */
  quantity: number(),
  entryPrice: positive,
  /** Mark at the start, before a shock, and price of the asset then; USD. */
  markPrice: positive,
  assetPrice: positive,
  /** Whether tiers count coins, N / S. */
  coin: flag,
  tiers: listOf(object(TIER_FIELDS), anyLength),
  /** USD an hour that finds a counterparty; absent without a limit. */
  depth: optional(notNegative),
  /** USD an hour; absent where slippage does not grow. */
  hourlyVolume: optional(positive),
  /** Rate per interval, unless `process` names a process. */
  fundingRate: number({ above: -1, most: 1 }),
  fundingIntervalHours: positive,
  process: optional(whole(0, 31)),
};
export interface AccountRow extends Declared<typeof ROW_FIELDS> {}

const PROCESS_FIELDS = {
  /** A rate per settlement, or a premium index per hour and 8 hours. */
  of: oneOf('rate', 'premium'),
  /** Asset whose returns the shocks follow. */
  asset: whole(0, 31),
  /** Number of its stream. */
  rank: whole(0, 63),
  mean: number(),
  deviation: notNegative,
  /** First-order coefficient per settlement or hour. */
  phi: number({ least: 0, most: 1 }),
  correlation: number({ least: -1, most: 1 }),
  start: number(),
  intervalHours: whole(1, MAX_STEPS),
  /** Of a premium, per 8 hours. */
  interest: number(),
  clamp: notNegative,
  linearWeights: flag,
  /** Largest size of a rate; absent without one. */
  cap: optional(positive),
};
export interface FundingProcess extends Declared<typeof PROCESS_FIELDS> {}

const TAIL_FIELDS = {
  /** Path of the market that each path of this plan follows. */
  paths: words(({ paths }) => paths),
  /** Weights of the paths, all of the first quantile first. */
  weights: doubles(anyLength, { least: 0 }),
};

const ACCOUNT_FIELDS = {
  venue: object(VENUE_FIELDS),
  currencies: listOf(object(CURRENCY_FIELDS), anyLength),
  rows: listOf(object(ROW_FIELDS), anyLength),
  processes: listOf(object(PROCESS_FIELDS), anyLength),
  /** Factors of the prices at the start; absent without a shock: checks then begin with hour 1. */
  shock: optional(doubles(perAsset, { above: 0 })),
  /** Margin call at E <= M / this. */
  marginCallRatio: positive,
  slippage: notNegative,
  slippageGrowth: notNegative,
  /** Hours by which the deciding prices are late. */
  feedLagHours: whole(0, 6),
  /** Variance within an hour over that of its return; 0: checks by the hour alone. */
  bridgeVariance: notNegative,
  /** Credits of funding are booked as 0. */
  debitsOnly: flag,
  /** Present in a run over the paths of tails, for the parts of their losses. */
  tail: optional(object(TAIL_FIELDS)),
  steps: whole(1, MAX_STEPS),
};

/** One account of perpetuals on common collateral, hourly steps. Amounts of the outcome are in USD. */
export interface AccountProduct extends Declared<typeof ACCOUNT_FIELDS> {
  readonly kind: 'account';
}

/** Numbers of each path, and sums over the paths; USD where they are amounts. */
export interface AccountOutcome {
  readonly kind: 'account';
  readonly paths: number;
  readonly marginCalls: number;
  readonly forcedCloses: number;
  readonly liquidations: number;
  readonly takeOvers: number;
  readonly shortfalls: number;
  /** Paths by the day of the first event, ceil(T / 24) each. */
  readonly callDays: Float64Array;
  readonly closeDays: Float64Array;
  readonly liquidationDays: Float64Array;
  /** Per path. */
  readonly finalEquity: Float64Array;
  readonly accumulatedFunding: Float64Array;
  readonly maxEquityDrawdown: Float64Array;
  readonly medianLeverage: Float64Array;
  readonly fees: Float64Array;
  readonly fundShortfall: Float64Array;
  /** Sums and sums of squares over the paths, and paths with such an amount. */
  readonly takenOver: number;
  readonly takenOverSquares: number;
  readonly takenOverPaths: number;
  readonly deleveraged: number;
  readonly deleveragedSquares: number;
  readonly deleveragedPaths: number;
  /** Per row: paths with a forced close, sums of the share closed and of the funding, and of their squares. */
  readonly rowCloses: Float64Array;
  readonly rowClosed: Float64Array;
  readonly rowClosedSquares: Float64Array;
  readonly rowFunding: Float64Array;
  readonly rowFundingSquares: Float64Array;
  /** Weighted sums of the gains of each row, then each currency's balance at the start, for each quantile of a tail. */
  readonly parts?: Float64Array;
  /** Counts of the sections that the contract names, where the plan requests a distribution. */
  readonly distribution?: Float64Array;
}

/** The counts beside the columns: equity over that at the start, at the fan's times. */
export const ACCOUNT_SECTIONS = { fan: 'fan' } as const satisfies Sections;

/** Rows whose shares a GPU keeps in registers (shaders/product/account.wgsl). */
export const MOST_GPU_ROWS = 8;

/** What a GPU does not run of an account, by the member: in words, and whether a product has it. */
export const ACCOUNT_NOT_ON_GPU = {
  positions: [`a list of more than ${MOST_GPU_ROWS} positions`, ({ rows }) => rows.length > MOST_GPU_ROWS],
} as const satisfies Readonly<Record<string, readonly [string, (product: AccountProduct) => boolean]>>;

/** Columns of a record before those of the rows. */
export const ACCOUNT_COLUMNS = [
  'finalEquity',
  'accumulatedFunding',
  'maxEquityDrawdown',
  'medianLeverage',
  'fees',
  'fundShortfall',
  'takenOver',
  'deleveraged',
  'callHour',
  'closeHour',
  'endHour',
  'flags',
] as const;

/** Columns of a record for each row. */
export const ACCOUNT_ROW_COLUMNS = ['closed', 'funding', 'forced'] as const;

export const ACCOUNT: ProductContract<AccountProduct, AccountOutcome> = {
  ...HOURLY,
  fields: ACCOUNT_FIELDS,
  check: checkAccount,
  merge: {
    paths: 'sum',
    marginCalls: 'sum',
    forcedCloses: 'sum',
    liquidations: 'sum',
    takeOvers: 'sum',
    shortfalls: 'sum',
    callDays: 'sum',
    closeDays: 'sum',
    liquidationDays: 'sum',
    finalEquity: 'concatenate',
    accumulatedFunding: 'concatenate',
    maxEquityDrawdown: 'concatenate',
    medianLeverage: 'concatenate',
    fees: 'concatenate',
    fundShortfall: 'concatenate',
    takenOver: 'sum',
    takenOverSquares: 'sum',
    takenOverPaths: 'sum',
    deleveraged: 'sum',
    deleveragedSquares: 'sum',
    deleveragedPaths: 'sum',
    rowCloses: 'sum',
    rowClosed: 'sum',
    rowClosedSquares: 'sum',
    rowFunding: 'sum',
    rowFundingSquares: 'sum',
    parts: 'sum',
    distribution: 'sum',
  },
  distribution: ACCOUNT_SECTIONS,
  recordFields: ({ rows }) => [
    ...ACCOUNT_COLUMNS,
    ...rows.flatMap((_, i) => ACCOUNT_ROW_COLUMNS.map(name => `${name}.${i}`)),
  ],
  // Draws, funding and drawdown of the assets; margin, tiers and profit of each row. A bridge doubles it.
  stepWork: ({ assets, rows = 1, tiers = 1, bridged = false }) =>
    (bridged ? 2 : 1) * (2 * assets + (rows * (3 + tiers)) / 8),
  size: ({ rows, bridgeVariance }) => ({
    rows: rows.length,
    tiers: Math.max(...rows.map(({ tiers }) => tiers.length)),
    bridged: bridgeVariance > 0,
  }),
  unitTerms: product => {
    const equity = equityAtStart(product);
    return [product.rows.reduce((sum, row) => sum + Math.abs(exposureOf(row)), 0) / equity];
  },
  notOnGpu: product => Object.values(ACCOUNT_NOT_ON_GPU).find(([, isIn]) => isIn(product))?.[0],
  usual: {
    models: ['gbm'],
    assets: { least: 1, most: 3 },
    terms: assets => [usualAccount(assets, 'portion'), usualAccount(assets, 'all')],
  },
};

/** Profit in USD of a whole row for a price that doubles, at the prices of the start; a short has less than 0. */
export const exposureOf = ({ inverse, quantity, markPrice, assetPrice }: AccountRow): number =>
  inverse ? (quantity * assetPrice) / markPrice : quantity * markPrice;

/** PnL of a row at the start, in units of its settlement currency. */
export const startProfit = ({ inverse, quantity, entryPrice, markPrice }: AccountRow): number =>
  inverse ? quantity * (1 / entryPrice - 1 / markPrice) : quantity * (markPrice - entryPrice);

/** Equity before a shock, USD, without haircuts. */
export function equityAtStart({ currencies, rows }: Pick<AccountProduct, 'currencies' | 'rows'>): number {
  const collateral = currencies.reduce((sum, { balance, price }) => sum + balance * price, 0);
  return rows.reduce((sum, row) => sum + startProfit(row) * currencies[row.currency].price, collateral);
}

/** Days of a run, an incomplete last one among them. */
export const accountDays = (steps: number): number => Math.ceil(steps / HOURS_PER_DAY);

function checkAccount(product: AccountProduct, { assets }: Scenarios, faults: Faults): void {
  const { rows, currencies, processes } = product;
  const add = (path: string, bound: string, got: unknown) => faults.add(`plan.product.${path}`, bound, got);
  if (rows.length === 0) add('rows', 'a list of at least 1', rows);
  if (currencies.length === 0) add('currencies', 'a list of at least 1', currencies);
  currencies.forEach(({ asset }, c) => {
    if (asset > assets) add(`currencies.${c}.asset`, `at most ${assets}, which is USD`, asset);
  });
  processes.forEach(({ asset }, j) => {
    if (asset >= assets) add(`processes.${j}.asset`, `below ${assets}`, asset);
  });
  rows.forEach(({ asset, currency, tiers, process }, i) => {
    if (asset >= assets) add(`rows.${i}.asset`, `below ${assets}`, asset);
    if (currency >= currencies.length) add(`rows.${i}.currency`, `below ${currencies.length}`, currency);
    if (tiers.length === 0) add(`rows.${i}.tiers`, 'a list of at least 1', tiers);
    if (process !== undefined && process >= processes.length)
      add(`rows.${i}.process`, `below ${processes.length}`, process);
  });
  if (product.feedLagHours > 0 && product.bridgeVariance > 0)
    add('bridgeVariance', '0 where prices are late', product.bridgeVariance);
}

/** Hedged rows on every asset, against USD and a part in asset 0. */
function usualAccount(assets: number, rule: 'portion' | 'all'): AccountProduct {
  return {
    kind: 'account',
    venue: {
      strict: true,
      close: rule === 'all' ? { rule } : { rule, portion: 0.2, above: 500 },
      feeRate: 0.001,
      feeCap: 'equity',
      reserveFee: false,
      backstop: rule === 'all' ? 0 : 2 / 3,
      rest: 'account',
      bankruptcy: 'whole',
      unfilled: 'bankruptcy',
      costs: 'account',
      conversionCost: 0.001,
    },
    currencies: [
      { asset: assets, price: 1, balance: 90, haircut: 0, debtMarkup: 0 },
      { asset: 0, price: 100, balance: 0.5, haircut: 0.05, debtMarkup: 0 },
    ],
    rows: Array.from({ length: assets }, (_, asset) => ({
      asset,
      currency: 0,
      inverse: false,
      quantity: asset % 2 === 0 ? 10 : -8,
      entryPrice: 99,
      markPrice: 100,
      assetPrice: 100,
      coin: false,
      tiers: [
        { from: 0, rate: 0.01, deduction: 0 },
        { from: 500, rate: 0.02, deduction: 5 },
      ],
      fundingRate: 0.0001,
      fundingIntervalHours: 8,
    })),
    processes: [],
    marginCallRatio: 0.8,
    slippage: 0.0005,
    slippageGrowth: 0,
    feedLagHours: 0,
    bridgeVariance: rule === 'all' ? 0 : 1,
    debitsOnly: false,
    steps: USUAL_STEPS,
  };
}
