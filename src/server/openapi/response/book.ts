/** `Output` of /book_risk, whose loans and book are those of a scenario of /stress, too. */
import { z } from 'zod';
import {
  ASSET_FIGURES,
  ASSET_PARTS,
  BOOK_TOTALS,
  BORROWER_FIGURES,
  BORROWER_PARTS,
  COLUMNS,
  type ColumnFigure,
} from '../../../core/figures/book.ts';
import { BOOK_LENDING_FIGURES, BOOK_LOAN_FIGURES, LOAN_PARTS } from '../../../core/figures/book-loan.ts';
import { CAPITAL_FIGURES, CAPITAL_HORIZON, CAPITAL_PARTS } from '../../../core/figures/capital.ts';
import {
  BOOK_CREDIT_FIGURES,
  CREDIT_FIGURES,
  STAGE_FIGURES,
  STAGE_TOTALS,
} from '../../../core/figures/credit.ts';
import type { DescribedFigure } from '../../../core/figures/figure.ts';
import { LOAN_FIGURES } from '../../../core/figures/loan.ts';
import { LAYER_FIGURES, TRANCHE_FIGURES, TRANCHE_PLACES } from '../../../core/figures/waterfall.ts';
import { STAGE_REASONS } from '../../../question/book/credit.ts';
import { meaning } from '../../../question/request/fields.ts';
import { count, figure, figureMembers, keyed, nonNegative, object, oneOf, real } from './figures.ts';
import { byLevel, byQuantile, mapped, weightedMembers } from './results.ts';

const capitalPartMembers = mapped(CAPITAL_PARTS, row => byQuantile(row).optional());

export const bookLoan = z.strictObject({
  ...weightedMembers(BOOK_LOAN_FIGURES),
  ...mapped(LOAN_PARTS, byQuantile),
  Status: meaning(
    z.enum(['called', 'liquidated']).optional(),
    'State of the loan at the start; absent if open.',
  ),
  ...figureMembers(BOOK_LENDING_FIGURES),
  ...capitalPartMembers,
  Credit: object('With credit: the credit figures of the loan.', {
    ...mapped(CREDIT_FIGURES, row =>
      row.shape === 'ratio' ? meaning(figure(row).nullable(), row.words, row.unit) : figure(row),
    ),
    Stage: meaning(z.int().min(1).max(3), 'Stage by IFRS 9.', 'none'),
    Reason: oneOf('The rule that put the loan into its stage.', STAGE_REASONS),
    StageUncertain: meaning(
      z.literal(true).optional(),
      'The interval of PD holds the threshold of stage 2: more scenarios could change the stage.',
    ),
    ...figureMembers(STAGE_FIGURES),
  }).optional(),
});

const bookBorrower = z.strictObject({
  ...figureMembers(BORROWER_FIGURES),
  ...mapped(BORROWER_PARTS, byQuantile),
  ...capitalPartMembers,
});

const bookAsset = z.strictObject({ ...figureMembers(ASSET_FIGURES), ...mapped(ASSET_PARTS, byQuantile) });

const columnFigure = (row: ColumnFigure) =>
  row.is === 'mean' || row.is === 'share' ? figure(row) : byQuantile(row);

/** Figures of each column of the paths, at their place in `Book`. */
const columnMembers = COLUMNS.map(([, { within, optional, figures }]) => {
  const members = mapped(figures, columnFigure);
  if (within === undefined) return members;
  const member = z.strictObject(members);
  return { [within.name]: meaning(optional ? member.optional() : member, within.words) };
});

const orNull = (row: DescribedFigure) => meaning(figure(row).nullable(), row.words, row.unit);

const { Detach, ...FOUND_PLACES } = TRANCHE_PLACES;

const tranche = z.strictObject({
  ...mapped(FOUND_PLACES, orNull),
  ...figureMembers({ Detach }),
  ...mapped(TRANCHE_FIGURES, row =>
    row.is === 'quantile' || row.is === 'tailMean'
      ? byLevel(row.words, orNull({ ...row, words: 'The figure at one quantile.' }))
      : orNull(row),
  ),
});

export const bookMember = z.strictObject({
  ...figureMembers(BOOK_TOTALS),
  ...Object.assign({}, ...columnMembers),
  Assets: keyed('Collateral assets by symbol.', bookAsset),
  Tranches: keyed('With tranches: figures of each by its name.', tranche).optional(),
  Waterfall: object(
    'With tranches or a reserve: what bears the losses on average; without overlaps of tranches the sum is ExpectedLoss.',
    figureMembers(LAYER_FIGURES),
  ).optional(),
  ...mapped(CAPITAL_FIGURES, row => byQuantile(row).optional()),
  ...figureMembers(CAPITAL_HORIZON),
  Credit: object('With credit: the allowance, and its parts by stage.', {
    Stages: byLevel(
      'By stage, 1 to 3.',
      z.strictObject({ Loans: count('Number of loans.', 'loans'), ...figureMembers(STAGE_TOTALS) }),
    ),
    ...figureMembers(BOOK_CREDIT_FIGURES),
  }).optional(),
});

export const borrowersMember = meaning(
  z.record(z.string(), bookBorrower).optional(),
  'Figures by borrower; absent if no loan names one.',
);

const inUnits = (description: string) =>
  keyed(
    `${description} Null without a close of the asset.`,
    meaning(z.number().min(0).nullable(), 'Units of the asset.', 'units of the asset'),
  );

export const bookOutput = z.strictObject({
  Loans: keyed('Figures of each loan, by its id.', bookLoan),
  Book: meaning(bookMember, 'Figures of all loans together.'),
  Borrowers: borrowersMember,
  Calls: keyed(
    'With include=calls: each loan that begins in margin call, after a shock of prices, by its id.',
    z.strictObject({
      OpenHours: nonNegative('Hours for which the call is open at the start.', 'hours'),
      HoursLeft: real('Hours to the deadline of its grace period; below 0 where it has passed.', 'hours'),
      Ratio: figure({ ...LOAN_FIGURES.WorstCaseCCR, words: 'Collateral over loan at the start.' }),
      TopUpUsd: nonNegative(
        'Value of the collateral that raises the ratio to R, which cures the call.',
        'USD',
      ),
      TopUp: inUnits('The same in units of each asset of the collateral: one of them is enough.'),
      RepayUsd: nonNegative('Value of the debt whose repayment does it instead.', 'USD'),
      Repay: inUnits('The same in units of each asset of the loan: one of them is enough.'),
    }),
  ).optional(),
});
