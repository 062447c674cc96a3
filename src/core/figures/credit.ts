/** Credit figures of the loans of a book by their interface names, from the sums of their events (docs/credit.md). */
import type { BookProduct, CreditLoanSums } from '../plan/product/book.ts';
import type { WeightedSum } from '../stats/weighted.ts';
import type { FigureAccuracy } from './accuracy.ts';
import { type LoanOutcomes, underWeights } from './book-loan.ts';
import {
  type DescribedFigures,
  type Figures,
  type MeanFigure,
  NOT_NEGATIVE,
  type RatioFigure,
  type Sums,
  share,
} from './figure.ts';
import { accuracyOf, figuresOf, figuresUnderWeights, weightedAccuracyOf } from './of-sums.ts';

/** What counts as a default: every event, or events with a loss alone. */
export type CreditEvent = 'sale' | 'loss';

interface CreditTerms {
  /** USD. */
  readonly loanValue: number;
}

/** Sums of the chosen events of all paths, the same of those within the horizon, and of all events with a loss; amounts in loan values. */
type SumName = 'events' | 'exposure' | 'exposureSquares' | 'lost' | 'lostSquares' | 'losses' | 'products';
type CreditSum = SumName | `${SumName}Within` | 'lossExposure' | 'lossExposureSquares';

const exposure = (
  suffix: '' | 'Within',
  words: string,
  label: string,
): RatioFigure<CreditSum, CreditTerms> => ({
  shape: 'ratio',
  unit: 'USD',
  range: NOT_NEGATIVE,
  words,
  label,
  amount: `exposure${suffix}`,
  amountSquares: `exposureSquares${suffix}`,
  count: `events${suffix}`,
  countSquares: `events${suffix}`,
  products: `exposure${suffix}`,
  events: `events${suffix}`,
  scale: ({ loanValue }) => loanValue,
});

const lossGivenDefault = (
  suffix: '' | 'Within',
  words: string,
  label: string,
): RatioFigure<CreditSum, CreditTerms> => ({
  shape: 'ratio',
  unit: 'fraction',
  range: NOT_NEGATIVE,
  words,
  label,
  amount: `lost${suffix}`,
  amountSquares: `lostSquares${suffix}`,
  count: `exposure${suffix}`,
  countSquares: `exposureSquares${suffix}`,
  products: `products${suffix}`,
  events: `losses${suffix}`,
  scale: () => 1,
});

const expectedLoss = (
  suffix: '' | 'Within',
  words: string,
  label: string,
): MeanFigure<CreditSum, CreditTerms> => ({
  shape: 'mean',
  unit: 'USD',
  range: NOT_NEGATIVE,
  words,
  label,
  sum: `lost${suffix}`,
  squares: `lostSquares${suffix}`,
  events: `losses${suffix}`,
  scale: ({ loanValue }) => loanValue,
});

/** The figures of a loan, in the order of the answer. */
export const CREDIT_FIGURES = {
  PD: share<CreditSum>('events', {
    words: 'Probability of default: share of the scenarios with the event.',
    label: 'Probability of default',
    note: 'over the term',
  }),
  EAD: exposure(
    '',
    'Exposure at default: mean debt at the event, with its interest. Null without an event.',
    'Exposure at default',
  ),
  LGD: lossGivenDefault(
    '',
    'Loss given default: sum of the losses over sum of the exposures, of all events. Null without an event.',
    'Loss given default',
  ),
  EL: expectedLoss('', 'Expected loss over the term: PD x EAD x LGD.', 'Expected loss'),
  PDHorizon: share<CreditSum>('eventsWithin', {
    words: 'The same as PD for events within the horizon.',
    label: 'Probability of default',
    note: 'within the horizon',
  }),
  EADHorizon: exposure(
    'Within',
    'The same as EAD for events within the horizon.',
    'Exposure, within the horizon',
  ),
  LGDHorizon: lossGivenDefault(
    'Within',
    'The same as LGD for events within the horizon.',
    'Loss given default, within the horizon',
  ),
  ELHorizon: expectedLoss(
    'Within',
    'Expected loss of events within the horizon, whenever its cash is due: PDHorizon x EADHorizon x LGDHorizon.',
    'Expected loss, within the horizon',
  ),
  PrLoss: share<CreditSum>('losses', {
    words: 'Share of the scenarios with a loss.',
    label: 'Chance of a loss',
  }),
  LossGivenLossPct: {
    shape: 'ratio',
    unit: 'percent of the debt',
    range: NOT_NEGATIVE,
    words: 'Sum of the losses over sum of the exposures, of the events with a loss. Null without one.',
    label: 'Loss where there is one',
    amount: 'lost',
    amountSquares: 'lostSquares',
    count: 'lossExposure',
    countSquares: 'lossExposureSquares',
    products: 'products',
    events: 'losses',
    scale: () => 100,
  },
} as const satisfies Figures<CreditSum, CreditTerms>;

/** Figures that follow from the stage of a loan; its accuracy is that of EL or ELHorizon. */
export const STAGE_FIGURES = {
  ECL: {
    unit: 'USD',
    range: NOT_NEGATIVE,
    words: 'Expected credit loss: ELHorizon in stage 1, EL in stages 2 and 3 and of credit-impaired loans.',
    label: 'Allowance',
    note: 'expected credit loss of its stage',
  },
} as const satisfies DescribedFigures;

/** Sums over the loans of a stage. */
export const STAGE_TOTALS = {
  LoanValue: { unit: 'USD', range: NOT_NEGATIVE, words: 'Sum of the loan values.', label: 'Lent' },
  EL: { unit: 'USD', range: NOT_NEGATIVE, words: 'Sum of EL.', label: 'Expected loss' },
  ELHorizon: { unit: 'USD', range: NOT_NEGATIVE, words: 'Sum of ELHorizon.', label: 'Within the horizon' },
  ECL: { unit: 'USD', range: NOT_NEGATIVE, words: 'Sum of ECL: the allowance.', label: 'Allowance' },
} as const satisfies DescribedFigures;

export const BOOK_CREDIT_FIGURES = {
  ECL: { ...STAGE_TOTALS.ECL, words: 'Sum of ECL of all loans: the allowance by IFRS 9.' },
  CECL: {
    unit: 'USD',
    range: NOT_NEGATIVE,
    words: 'Sum of EL of all loans: the allowance by ASC 326, which has no stages.',
    label: 'Allowance under CECL',
  },
  CollateralShortfall: {
    unit: 'USD',
    range: NOT_NEGATIVE,
    words:
      'Sum of what the collateral of each loan lacks of its debt at the start; lenders whose borrowers maintain the collateral may use it in place of CECL (ASC 326-20-35-6).',
    label: 'Collateral missing now',
  },
} as const satisfies DescribedFigures;

/** Figures without a number where there was no event. */
export const WITHOUT_EVENT = Object.entries(CREDIT_FIGURES)
  .filter(([, { shape }]) => shape === 'ratio')
  .map(([name]) => name);

/** The sums of loan k by name. @param paths number of them, or their weights */
function sumsOf(
  credit: Readonly<Record<'all' | 'within', CreditLoanSums>>,
  paths: number,
  k: number,
  event: CreditEvent,
): Sums<CreditSum> {
  const ofSet = ({ events, exposure, losses, lossExposure, lost, squares }: CreditLoanSums) => ({
    events: event === 'sale' ? events[k] : losses[k],
    exposure: event === 'sale' ? exposure[k] : lossExposure[k],
    exposureSquares: event === 'sale' ? squares?.exposure[k] : squares?.lossExposure[k],
    lost: lost[k],
    lostSquares: squares?.lost[k],
    losses: losses[k],
    products: squares?.product[k],
  });
  const within = ofSet(credit.within);
  return {
    paths,
    ...ofSet(credit.all),
    lossExposure: credit.all.lossExposure[k],
    lossExposureSquares: credit.all.squares?.lossExposure[k],
    eventsWithin: within.events,
    exposureWithin: within.exposure,
    exposureSquaresWithin: within.exposureSquares,
    lostWithin: within.lost,
    lostSquaresWithin: within.lostSquares,
    lossesWithin: within.losses,
    productsWithin: within.products,
  };
}

export type CreditValues = Record<keyof typeof CREDIT_FIGURES, number | null>;

/** The figures of loan k; null where there was no event. */
export function creditFigures(
  { loanValue }: BookProduct,
  outcome: LoanOutcomes,
  k: number,
  event: CreditEvent,
): CreditValues {
  const { paths, loans } = underWeights(outcome);
  if (loans.credit === undefined) throw new RangeError('The run adds up no credit figures.');
  const sums = sumsOf(loans.credit, paths, k, event);
  const valuesOf = outcome.weighted === undefined ? figuresOf : figuresUnderWeights;
  const figures: CreditValues = valuesOf<CreditSum, CreditTerms, typeof CREDIT_FIGURES>(
    CREDIT_FIGURES,
    sums,
    {
      loanValue: loanValue[k],
    },
  );
  for (const [name, row] of Object.entries(CREDIT_FIGURES))
    if (row.shape === 'ratio' && sums[row.count] === 0) figures[name as keyof CreditValues] = null;
  return figures;
}

/**
 * Accuracy of the figures of loan k.
 *
 * @param outcome with the squares of its loans
 */
export function creditAccuracy(
  { loanValue }: BookProduct,
  { paths, loans, weighted }: LoanOutcomes,
  k: number,
  event: CreditEvent,
  level: number,
): Record<keyof typeof CREDIT_FIGURES, FigureAccuracy> {
  const terms = { loanValue: loanValue[k] };
  if (loans.credit === undefined) throw new RangeError('The run adds up no credit figures.');
  const counts = sumsOf(loans.credit, paths, k, event);
  if (weighted === undefined) return accuracyOf(CREDIT_FIGURES, counts, terms, level);
  const [once, odd, twice] = (['once', 'odd', 'twice'] as const).map(set => {
    const { credit } = weighted[set];
    if (credit === undefined) throw new RangeError('The weighted run adds up no credit figures.');
    return sumsOf(credit, weighted.weights[set], k, event);
  });
  const names = Object.keys(counts) as readonly (CreditSum | 'paths')[];
  const sums = Object.fromEntries(
    names.map(name => [name, { once: once[name], odd: odd[name], twice: twice[name] }]),
  ) as Record<'paths' | CreditSum, WeightedSum>;
  return weightedAccuracyOf(CREDIT_FIGURES, { counts, sums }, terms, level);
}
