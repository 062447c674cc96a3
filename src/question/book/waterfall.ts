/**
 * Tranches and economic capital of a book (docs/tranches.md): figures of the losses of its paths.
 *
 * Takes: the outcome of a run. Gives: figures, their accuracy and warnings. The order of a million losses is found in a thread.
 */
import type { PathLosses, WaterfallOutcome, WaterfallTerms } from '../../core/book/waterfall.ts';
import type { AccuracyFigures, FigureAccuracy, WindowFigure } from '../../core/figures/accuracy.ts';
import {
  columnAccuracy,
  columnWindowFigures,
  weightedColumnAccuracy,
} from '../../core/figures/book-columns.ts';
import {
  CAPITAL_FIGURES,
  capitalAccuracy,
  capitalFigures,
  quantilesWithoutCapital,
} from '../../core/figures/capital.ts';
import { byQuantile } from '../../core/figures/figure.ts';
import {
  trancheFigures,
  type WaterfallParts,
  waterfallAccuracy,
  waterfallParts,
} from '../../core/figures/waterfall.ts';
import type { BookOutcome, BookProduct } from '../../core/plan/product/book.ts';
import type { SimulationPlan } from '../../core/plan/simulation-plan.ts';
import type { Asker } from '../../core/turns.ts';
import { type Warning, warnIf } from '../../core/warnings.ts';
import { calibrateInThread } from '../../models/calibration/calibration-pool.ts';
import { accuracyOverWindows } from '../accuracy/windows.ts';
import type { BookTerms } from './request.ts';

type Terms = Pick<BookTerms, 'tranches' | 'reserve' | 'excess_spread' | 'economic_capital'>;

/** The losses of a book by who bears them; `outcome` is absent where no such member was sent. */
export interface BookWaterfall {
  readonly terms: WaterfallTerms;
  readonly outcome: WaterfallOutcome | undefined;
  readonly hasCapital: boolean;
}

const lossesOf = (
  { loanValue }: BookProduct,
  { columns: { loss, spread, weight } }: BookOutcome,
): PathLosses => ({
  loss,
  spread,
  weights: weight,
  loanValue: loanValue.reduce((sum, value) => sum + value, 0),
});

export async function waterfallOf(
  { tranches = [], reserve, excess_spread, economic_capital = false }: Terms,
  product: BookProduct,
  outcome: BookOutcome,
  asker: Asker,
): Promise<BookWaterfall> {
  const terms = { tranches, reserve: reserve ?? 0 };
  const isAsked = tranches.length > 0 || reserve !== undefined || excess_spread !== undefined;
  const input = { losses: lossesOf(product, outcome), terms, quantiles: product.quantiles };
  return {
    terms,
    outcome: isAsked ? await calibrateInThread('waterfall', input, asker) : undefined,
    hasCapital: economic_capital,
  };
}

/** Members of `Book`. */
export function waterfallFigures(
  { terms, outcome, hasCapital }: BookWaterfall,
  product: BookProduct,
  ofRun: BookOutcome,
) {
  const { loanValue } = lossesOf(product, ofRun);
  return {
    ...(outcome && {
      ...(terms.tranches.length > 0 && {
        Tranches: trancheFigures(terms, outcome.tranches, loanValue, product.quantiles),
      }),
      Waterfall: outcome.layers,
    }),
    ...(hasCapital && capitalFigures(product, ofRun)),
  };
}

/** Rows of `Accuracy` for the members of `Book`. @param known rows of the losses of the book */
export async function waterfallRows(
  { terms, outcome, hasCapital }: BookWaterfall,
  { product, paths, scenarios }: SimulationPlan<BookProduct>,
  ofRun: BookOutcome,
  known: AccuracyFigures,
  level: number,
  asker: Asker,
): Promise<AccuracyFigures> {
  const { quantiles, steps } = product;
  const losses = lossesOf(product, ofRun);
  const partsOf = async (found: WaterfallOutcome): Promise<WaterfallParts<FigureAccuracy>> => {
    if (scenarios.kind !== 'historical')
      return waterfallParts<FigureAccuracy>(
        terms,
        found,
        losses,
        quantiles,
        (values, summary, levels, range) =>
          losses.weights === undefined
            ? columnAccuracy(levels, values, summary, level, range)
            : weightedColumnAccuracy(values, losses.weights, summary, level),
      );
    const parts = waterfallParts<WindowFigure>(terms, found, losses, quantiles, (values, summary, _, range) =>
      columnWindowFigures(values, summary, range),
    );
    const judged = await accuracyOverWindows({ ...parts }, paths, steps, level, asker);
    // The same names, with accuracies in place of contributions.
    return judged as unknown as WaterfallParts<FigureAccuracy>;
  };
  const { ExpectedLoss, LossVar } = known as {
    readonly ExpectedLoss: FigureAccuracy;
    readonly LossVar: Readonly<Record<string, FigureAccuracy>>;
  };
  const { loss } = ofRun.summaries;
  const capital = (i: number, q: number) => capitalAccuracy(loss, i, LossVar[String(q)], ExpectedLoss, level);
  return {
    ...(outcome && waterfallAccuracy(terms, outcome, await partsOf(outcome))),
    ...(hasCapital && { [Object.keys(CAPITAL_FIGURES)[0]]: byQuantile(quantiles, capital) }),
  };
}

/** What would mislead in the figures of one book. */
export interface WaterfallDoubts {
  /** Names of tranches without an attachment point. */
  readonly unreached: readonly string[];
  /** Quantiles at which the mean loss is above the loss at the level. */
  readonly withoutCapital: readonly number[];
}

export const doubtsOf = (
  { terms, outcome, hasCapital }: BookWaterfall,
  product: BookProduct,
  { summaries }: Pick<BookOutcome, 'summaries'>,
): WaterfallDoubts => ({
  unreached: (outcome?.tranches ?? []).flatMap(({ attach }, i) =>
    attach === null ? [terms.tranches[i].name] : [],
  ),
  withoutCapital: hasCapital ? quantilesWithoutCapital(product, summaries.loss) : [],
});

/** Warnings of one or more books. @param books by scenario; `undefined` without scenarios */
export function waterfallWarnings(
  books: ReadonlyMap<string | undefined, WaterfallDoubts>,
): readonly Warning[] {
  const named = (of: (doubts: WaterfallDoubts) => readonly (string | number)[]) =>
    [...books].flatMap(([scenario, doubts]) =>
      of(doubts).map(each => (scenario === undefined ? `${each}` : `${each} (scenario ${scenario})`)),
    );
  const unreached = named(doubts => doubts.unreached);
  const without = named(doubts => doubts.withoutCapital);
  return [
    ...warnIf(
      unreached.length > 0,
      'tranche-target',
      `No attachment point below detach reaches the target of attach_for: ${unreached.join(', ')}. Use a larger detach or a larger value.`,
    ),
    ...warnIf(
      without.length > 0,
      'capital-zero',
      `EconomicCapital is 0 at ${without.join(', ')}, because the mean loss is above the loss at the level: losses are rarer than the level shows. Use a higher quantile.`,
    ),
  ];
}
