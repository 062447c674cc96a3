/** Reverse scenarios of /stress: the smallest move of prices at which a figure reaches a bound (docs/stress.md). */
import { spreadOver } from '../../core/book/by-asset.ts';
import { refuseIfFaulty } from '../../core/errors.ts';
import type { AccuracyFigures, FigureAccuracy } from '../../core/figures/accuracy.ts';
import { type BookColumn, bookColumnFigures } from '../../core/figures/book.ts';
import type { BookProduct } from '../../core/plan/product/book.ts';
import { normalCdf } from '../../core/stats/special-functions.ts';
import {
  deviationPoints,
  type FigureAt,
  type FoundMove,
  fallPoints,
  likelyDirection,
  reverseSearch,
} from '../../core/stress/reverse-search.ts';
import { type Warning, warnIf } from '../../core/warnings.ts';
import { METHODOLOGIES } from '../../models/methodology/methodologies.ts';
import { isSteady } from '../../text/symbols.ts';
import type { RunOptions } from '../answer.ts';
import { columnRows } from '../book/accuracy.ts';
import type { RanBook } from '../book/book-risk.ts';
import { waterfallFigures, waterfallRows } from '../book/waterfall.ts';
import type { OperationContext } from '../question.ts';
import { ALL_OTHERS, type PriceShock } from '../request/price-shock.ts';
import {
  type CompletedReverse,
  LIKELY,
  REVERSE_FIGURES,
  type ReverseFigureName,
} from '../request/reverse.ts';
import { figuresAtOnce } from './figures.ts';
import { type BookUnderScenario, type RanScenario, runScenario } from './scenario-answer.ts';

/** Largest distance of the answer from the move before it. */
const FALL_PRECISION = 1e-4;
const DEVIATION_PRECISION = 1e-3;
const HOURS_PER_YEAR = 8760;

/** Where a figure of the paths stands in `Book`, and its column of the paths; undefined for a tranche. */
const PLACES: Partial<
  Record<ReverseFigureName, { readonly place: readonly string[]; readonly column: BookColumn }>
> = {
  ExpectedLoss: { place: ['ExpectedLoss'], column: 'loss' },
  PrLoss: { place: ['PrLoss'], column: 'loss' },
  LossVar: { place: ['LossVar'], column: 'loss' },
  LossCVar: { place: ['LossCVar'], column: 'loss' },
  UnsoldExpectedLoss: { place: ['Unsold', 'ExpectedLoss'], column: 'unsold' },
  PeakDay: { place: ['PeakDay', 'Mean'], column: 'peakDay' },
};

/** How prices move, in falls or in standard deviations. */
interface Direction {
  readonly points: readonly number[];
  readonly precision: number;
  shockOf(at: number): PriceShock;
}

export interface ReverseAnswer {
  /** The move of the forward run. */
  readonly priceShock: PriceShock;
  /** The member `Reverse`. */
  readonly members: Readonly<Record<string, unknown>>;
  readonly warnings: readonly Warning[];
}

/** @param path of the scenario in the request */
export async function reverseScenario(
  book: BookUnderScenario,
  reverse: CompletedReverse,
  path: string,
  context: OperationContext,
  options: RunOptions,
): Promise<ReverseAnswer> {
  const { needs } = REVERSE_FIGURES[reverse.figure];
  const isOfPaths = needs !== 'prices' && needs !== 'replay';
  const direction = reverse.along === LIKELY ? likely(book, reverse, path) : fall(book, reverse);
  const figureAt = async (at: number): Promise<FigureAt> => {
    const scenario = { ...book.scenario, priceShock: direction.shockOf(at) };
    const ran = await runScenario(
      { ...book, scenario, asked: isOfPaths ? book.asked : undefined },
      context,
      options,
    );
    return { at, ...(await figureOf(ran, reverse, context)) };
  };
  const found = await reverseSearch(direction.points, reverse.bound, direction.precision, figureAt);
  const forward = found.found ?? found.last;
  const priceShock = direction.shockOf(forward.at);
  const { name } = book.scenario;
  return {
    priceShock,
    members: { ...moveMembers(reverse, found), PriceShock: priceShock, ...figureMembers(found, forward) },
    warnings: [
      ...warnIf(
        found.crossings > 1,
        'not-monotone',
        `${reverse.figure} of scenario ${name} crosses its bound ${found.crossings} times over the moves that were looked at: beyond the first crossing there are larger moves at which it is below the bound.`,
      ),
      ...warnIf(
        reverse.along === LIKELY,
        'normal-tail',
        `Deviations and Probability of scenario ${name} are those of a normal law: falls of history are larger than it allows, and so are their chances.`,
      ),
    ],
  };
}

function moveMembers({ along }: CompletedReverse, { found }: FoundMove) {
  if (along !== LIKELY) return { Fall: found?.at ?? null };
  return { Deviations: found?.at ?? null, Probability: found === undefined ? null : normalCdf(-found.at) };
}

const figureMembers = ({ before, crossings, low, high }: FoundMove, { value }: FigureAt) => ({
  Value: value,
  ValueBefore: before?.value ?? null,
  Crossings: crossings,
  Low: low,
  High: high,
});

/** Each price is multiplied by (1 - s) to a power. */
function fall({ columns: { symbols } }: BookUnderScenario, { along, largest }: CompletedReverse): Direction {
  const betas = along as Exclude<typeof along, typeof LIKELY>;
  const betaOf = (symbol: string) => {
    if (Object.hasOwn(betas, symbol)) return betas[symbol];
    return isSteady(symbol) ? 0 : (betas[ALL_OTHERS] ?? 0);
  };
  const moved = symbols.map(symbol => [symbol, betaOf(symbol)] as const).filter(([, beta]) => beta !== 0);
  return {
    points: fallPoints(largest),
    precision: FALL_PRECISION,
    shockOf: at =>
      Object.fromEntries(
        moved.map(([symbol, beta]) => [symbol, beta === 1 ? -at : Math.expm1(beta * Math.log1p(-at))]),
      ),
  };
}

/** The most likely move to first order under the normal law of the model. */
function likely(
  { columns: { symbols }, asked, onGrid }: BookUnderScenario,
  { largest, likely_hours = 24 }: CompletedReverse,
  path: string,
): Direction {
  const refuse = (member: string, bound: string) =>
    refuseIfFaulty([
      {
        code: 'inconsistent',
        path: `${path}.reverse.${member}`,
        message: `${path.replace('params.', '')}.reverse.${member} must be ${bound}`,
      },
    ]);
  const { annual_volatilities, correlation } = (asked?.set.fitted.members ?? {}) as {
    readonly annual_volatilities: Readonly<Record<string, number>>;
    readonly correlation: readonly (readonly number[])[];
  };
  const volatility = symbols.map(symbol => annual_volatilities[symbol]);
  const covariance = Float64Array.from(
    symbols.flatMap((_, i) => symbols.map((__, j) => volatility[i] * volatility[j] * correlation[i][j])),
  );
  const found = likelyDirection(covariance, netValues(onGrid, symbols.length));
  if (found === undefined)
    refuse('along', `symbols and exponents for this book: the model moves no price of it; got "${LIKELY}"`);
  const perDeviation = (found ?? new Float64Array()).map(
    each => -each * Math.sqrt(likely_hours / HOURS_PER_YEAR),
  );
  const shockOf = (at: number): PriceShock =>
    Object.fromEntries(
      symbols.flatMap((symbol, i) =>
        perDeviation[i] === 0 ? [] : [[symbol, Math.expm1(at * perDeviation[i])]],
      ),
    );
  const farthest = Object.entries(shockOf(largest)).find(([, change]) => !(change > -1 && change <= 100));
  if (farthest !== undefined)
    refuse(
      'largest',
      `so small that no price moves to 0 or by more than a factor of 101; ${farthest[0]} does at ${largest}`,
    );
  return { points: deviationPoints(largest), precision: DEVIATION_PRECISION, shockOf };
}

/** Per asset: collateral less debt at the start, USD. */
function netValues(product: BookProduct, assets: number): Float64Array {
  const { collateralWeights, loanWeights, nominalRatio, loanValue } = product;
  const debt = spreadOver(product, loanWeights, assets, k => loanValue[k]);
  return spreadOver(product, collateralWeights, assets, k => nominalRatio[k] * loanValue[k]).map(
    (value, i) => value - debt[i],
  );
}

type FigureValue = Omit<FigureAt, 'at'>;

/** The figure after a move. Windows of history overlap: their figures have no interval here, as changes have none. */
async function figureOf(
  { stressed: { atOnce, replayed }, ran }: RanScenario,
  { figure, quantile, tranche }: CompletedReverse,
  context: OperationContext,
): Promise<FigureValue> {
  const sure = (value: number): FigureValue => ({ value, low: null, high: null });
  if (figure === 'ReplayLoss') return sure(replayed?.loans.loss.reduce((a, b) => a + b, 0) ?? 0);
  const now = figuresAtOnce(atOnce);
  if (figure === 'Ltv') return sure(now.Ltv);
  if (figure === 'CalledUsd') return sure(now.Called.LoanUsd);
  if (figure === 'LiquidatedUsd') return sure(now.Liquidated.LoanUsd);
  // No loan is left after the replay: nothing more is lost.
  if (ran === undefined) return sure(0);
  const { place, column } =
    tranche === undefined
      ? (PLACES[figure] ?? { place: [figure], column: undefined })
      : { place: ['Tranches', tranche, figure], column: undefined };
  const full = quantile === undefined ? place : [...place, String(quantile)];
  const value = Number(at(valuesOf(ran), full));
  if (!METHODOLOGIES[ran.request.methodology].draws) return sure(value);
  const row = at(await rowsOf(ran, column, context), full) as FigureAccuracy | undefined;
  return { value, low: row?.low ?? null, high: row?.high ?? null };
}

const valuesOf = ({ plan: { product }, outcome, waterfall }: RanBook) => ({
  ...bookColumnFigures(outcome.summaries, product.quantiles),
  ...waterfallFigures(waterfall, product, outcome),
});

async function rowsOf(
  { plan, outcome, waterfall }: RanBook,
  column: BookColumn | undefined,
  context: OperationContext,
): Promise<AccuracyFigures> {
  const level = context.query.confidence;
  if (column !== undefined) return columnRows(column, plan, outcome, level, context);
  const known = await columnRows('loss', plan, outcome, level, context);
  return waterfallRows({ ...waterfall, hasCapital: false }, plan, outcome, known, level, context);
}

/** The member at a place of nested objects. */
function at(members: object, place: readonly string[]): unknown {
  return place.reduce<unknown>(
    (inner, name) => (inner as Readonly<Record<string, unknown>> | undefined)?.[name],
    members,
  );
}
