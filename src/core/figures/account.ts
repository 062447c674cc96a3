/** The figures of a cross-margined account, by their names in the interface (docs/accounts.md). */
import { tailWeight, upperTail } from '../book/tail-weights.ts';
import { summaryOf } from '../book/weighted-tails.ts';
import {
  type AccountOutcome,
  FLAG_LIQUIDATION,
  FLAG_MARGIN_CALL,
  FLAG_SHORTFALL,
  FLAG_TAKEN_OVER,
} from '../engine.ts';
import { type AccountProduct, equityAtStart } from '../plan/product/account.ts';
import { quantilesType7 } from '../stats/quantile.ts';
import {
  ANY_NUMBER,
  byQuantile,
  type DescribedFigure,
  type DescribedFigures,
  type FigureRange,
  type Figures,
  NOT_NEGATIVE,
  SHARE,
  type Sums,
  share,
  withFlag,
} from './figure.ts';
import { figuresOf } from './of-sums.ts';
import { QUANTILES } from './perpetual.ts';

export const PROBABILITIES = Object.values(QUANTILES);
const QUANTILE_NAMES = Object.keys(QUANTILES) as readonly (keyof typeof QUANTILES)[];

/** Names of the parts of an account, and the levels of its losses. */
export interface AccountNames {
  readonly ids: readonly string[];
  readonly markets: readonly string[];
  /** Symbols of the currencies, in their order. */
  readonly currencies: readonly string[];
  readonly quantiles: Float64Array;
}

export type AccountSum = 'marginCalls' | 'forcedCloses' | 'liquidations' | 'takeOvers' | 'shortfalls';
export const sumsOf = (outcome: AccountOutcome): Sums<AccountSum> => outcome;

/** Shares of the paths. */
export const ACCOUNT_SHARES = {
  PrMarginCall: share(
    'marginCalls',
    {
      words:
        'Share of the scenarios in which M reaches margin_call_ratio of E; a forced close is a call, too.',
      label: 'Chance of a margin call',
    },
    withFlag(FLAG_MARGIN_CALL),
  ),
  PrForcedClose: share(
    'forcedCloses',
    { words: 'Share of the scenarios with a forced close.', label: 'Chance of a forced close' },
    ({ closeHour }) => closeHour.map(hour => (hour >= 0 ? 1 : 0)),
  ),
  PrLiquidation: share(
    'liquidations',
    {
      words: 'Share of the scenarios in which forced closes leave no position.',
      label: 'Chance of losing every position',
    },
    withFlag(FLAG_LIQUIDATION),
  ),
  PrTakenOver: share(
    'takeOvers',
    {
      words: 'Share of the scenarios in which the fund takes equity above 0.',
      label: 'Chance that the fund takes the account',
    },
    withFlag(FLAG_TAKEN_OVER),
  ),
  PrShortfall: share(
    'shortfalls',
    {
      words: 'Share of the scenarios in which the fund pays for the account.',
      label: 'Chance of a shortfall',
    },
    withFlag(FLAG_SHORTFALL),
  ),
} as const satisfies Figures<AccountSum, unknown>;

/** A number of each path. */
export interface AccountColumn extends DescribedFigure {
  readonly values: (outcome: AccountOutcome, product: AccountProduct) => Float64Array;
}

/** USD value of the collateral at the start, without haircuts. */
const collateralOf = ({ currencies }: AccountProduct): number =>
  currencies.reduce((sum, { balance, price }) => sum + balance * price, 0);

export const ACCOUNT_DISTRIBUTIONS = {
  Roi: {
    unit: 'fraction',
    range: ANY_NUMBER,
    words: 'Change of equity, relative to the value of the collateral at the start without haircuts.',
    label: 'Return',
    note: 'on the collateral',
    values: ({ finalEquity }, product) => {
      const [start, collateral] = [equityAtStart(product), collateralOf(product)];
      return finalEquity.map(equity => (equity - start) / collateral);
    },
  },
  AccFunding: {
    unit: 'USD',
    range: ANY_NUMBER,
    words: 'Funding received, less funding paid, each at the prices of its hour.',
    label: 'Funding',
    note: 'received; below 0: paid',
    values: ({ accumulatedFunding }) => accumulatedFunding,
  },
  MaxEquityDrawDown: {
    unit: 'USD',
    range: [Number.NEGATIVE_INFINITY, 0] as FigureRange,
    words: 'Largest fall of equity below its earlier maximum within a scenario.',
    label: 'Largest fall of equity',
    note: 'from its peak',
    values: ({ maxEquityDrawdown }) => maxEquityDrawdown,
  },
  Leverage: {
    unit: 'none',
    range: NOT_NEGATIVE,
    words: 'Median of the sum of notionals over equity within a scenario.',
    label: 'Leverage',
    note: 'median over the hours of a scenario',
    values: ({ medianLeverage }) => medianLeverage,
  },
  FinalEquity: {
    unit: 'USD',
    range: ANY_NUMBER,
    words: 'Equity at the end.',
    label: 'Equity at the end',
    values: ({ finalEquity }) => finalEquity,
  },
} as const satisfies Readonly<Record<string, AccountColumn>>;

export const LOSS_FIGURES = {
  Var: {
    unit: 'USD',
    range: ANY_NUMBER,
    words: 'Quantile of the loss: equity at the start less that at the end.',
    label: 'Loss at the level',
  },
  CVar: {
    unit: 'USD',
    range: ANY_NUMBER,
    words: 'Mean loss over the worst 1 - q of the scenarios.',
    label: 'Mean loss beyond',
  },
} as const satisfies DescribedFigures;

const amount = (words: string, label: string, column: AccountColumn['values']): AccountColumn => ({
  unit: 'USD',
  range: NOT_NEGATIVE,
  words,
  label,
  values: column,
});

/** Amounts with a mean and the means of their tails. */
export const ACCOUNT_AMOUNTS = {
  Fees: amount('Fees of forced closes.', 'Fees', ({ fees }) => fees),
  FundShortfall: amount('What the fund pays.', 'Paid by the fund', ({ fundShortfall }) => fundShortfall),
} as const satisfies Readonly<Record<string, AccountColumn>>;

const summed = (words: string, label: string): DescribedFigure => ({
  unit: 'USD',
  range: NOT_NEGATIVE,
  words,
  label,
});

/** Amounts with a mean. */
export const ACCOUNT_MEANS = {
  TakenOver: summed('Equity that the fund takes.', 'Taken by the fund'),
  Deleveraged: summed('Notional that passes to winners, because it finds no counterparty.', 'Deleveraged'),
} as const satisfies DescribedFigures;

/** Figures of each position. */
export const ROW_FIGURES = {
  PrForcedClose: {
    unit: 'fraction',
    range: SHARE,
    words: 'Share of the scenarios in which the position has a forced close.',
    label: 'Chance of a forced close',
  },
  ShareClosed: {
    unit: 'fraction',
    range: SHARE,
    words: 'Mean share of the position that is closed at the end.',
    label: 'Share closed',
  },
  Funding: {
    unit: 'USD',
    range: ANY_NUMBER,
    words: 'Mean funding received, less funding paid.',
    label: 'Funding',
  },
} as const satisfies DescribedFigures;

export const lossesOf = (
  { finalEquity }: Pick<AccountOutcome, 'finalEquity'>,
  product: AccountProduct,
): Float64Array => {
  const start = equityAtStart(product);
  return finalEquity.map(equity => start - equity);
};

/** The paths of the tails of the loss with their weights, all of the first quantile first; every path where `all`. */
export function tailOfLosses(
  outcome: Pick<AccountOutcome, 'finalEquity'>,
  product: AccountProduct,
  quantiles: Float64Array,
  all: boolean,
): NonNullable<AccountProduct['tail']> {
  const losses = lossesOf(outcome, product);
  const sorted = losses.toSorted();
  const tails = Array.from(quantiles, q => upperTail(sorted, q));
  const paths = Uint32Array.from(losses.keys()).filter(
    path => all || tails.some(tail => tailWeight(tail, losses[path]) > 0),
  );
  const weights = new Float64Array(paths.length * tails.length);
  tails.forEach((tail, q) => {
    for (let k = 0; k < paths.length; k++) weights[q * paths.length + k] = tailWeight(tail, losses[paths[k]]);
  });
  return { paths, weights };
}

export const ofColumns = <V>(
  outcome: AccountOutcome,
  product: AccountProduct,
  of: (values: Float64Array) => readonly V[],
): Record<string, Record<keyof typeof QUANTILES, V>> =>
  Object.fromEntries(
    Object.entries<AccountColumn>(ACCOUNT_DISTRIBUTIONS).map(([name, { values }]) => {
      const each = of(values(outcome, product));
      const named = QUANTILE_NAMES.map((quantile, i) => [quantile, each[i]]);
      return [name, Object.fromEntries(named) as Record<keyof typeof QUANTILES, V>];
    }),
  );

/** Shares of the paths by the end of each day. */
function byDay(counts: Float64Array, paths: number): number[] {
  let reached = 0;
  return Array.from(counts, count => {
    reached += count;
    return reached / paths;
  });
}

/** @param parts of the run over the tails; without them losses have no contributions */
export function accountFigures(
  outcome: AccountOutcome,
  product: AccountProduct,
  { ids, markets, currencies, quantiles }: AccountNames,
  parts?: Float64Array,
) {
  const { paths } = outcome;
  const losses = summaryOf(lossesOf(outcome, product), quantiles, undefined);
  const amounts = Object.entries(ACCOUNT_AMOUNTS).map(([name, { values }]) => {
    const summary = summaryOf(values(outcome, product), quantiles, undefined);
    return [name, { Mean: summary.mean, CVar: byQuantile(quantiles, i => summary.tailMeans[i]) }];
  });
  return {
    ...figuresOf(ACCOUNT_SHARES, sumsOf(outcome), undefined),
    ByDay: {
      MarginCall: byDay(outcome.callDays, paths),
      ForcedClose: byDay(outcome.closeDays, paths),
      Liquidation: byDay(outcome.liquidationDays, paths),
    },
    ...ofColumns(outcome, product, values => [...quantilesType7(values.slice(), PROBABILITIES)]),
    Loss: byQuantile(quantiles, i => ({
      Var: losses.quantiles[i],
      CVar: losses.tailMeans[i],
      ...(parts && {
        Contributions: contributions(i, losses.tailMeans[i], product, { ids, currencies }, parts),
      }),
    })),
    ...Object.fromEntries(amounts),
    TakenOver: { Mean: outcome.takenOver / paths },
    Deleveraged: { Mean: outcome.deleveraged / paths },
    Positions: ids.map((id, i) => ({
      id,
      market: markets[i],
      PrForcedClose: outcome.rowCloses[i] / paths,
      ShareClosed: outcome.rowClosed[i] / paths,
      Funding: outcome.rowFunding[i] / paths,
    })),
  };
}

/** Parts of the tail mean of the loss: of rows and of collateral, and what the fund took or paid, the rest of it. */
function contributions(
  q: number,
  cvar: number,
  { rows, currencies }: AccountProduct,
  names: Pick<AccountNames, 'ids' | 'currencies'>,
  parts: Float64Array,
) {
  const first = q * (rows.length + currencies.length);
  const lossAt = (place: number) => 0 - parts[first + place];
  const ofRows = names.ids.map((id, i) => [id, lossAt(i)] as const);
  const ofCollateral = currencies.flatMap(({ balance }, c) =>
    balance === 0 ? [] : [[names.currencies[c], lossAt(rows.length + c)] as const],
  );
  const rest = [...ofRows, ...ofCollateral].reduce((left, [, part]) => left - part, cvar);
  return {
    Positions: Object.fromEntries(ofRows),
    Collateral: Object.fromEntries(ofCollateral),
    Fund: rest,
  };
}
