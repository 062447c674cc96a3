/** The credit figures of a result as CSV for an auditor: a row for each loan, then the sums of the stages (docs/credit.md). */
import type { LoanCredit } from '../desk/credit-figures.ts';
import type { DeskResult, LoanLine } from '../desk/result.ts';
import type { TapeLoan } from '../tape/tape.ts';
import { csvRow } from '../text/csv-field.ts';

type Cell = string | number | null;
type Column = readonly [
  name: string,
  value: (line: LoanLine, credit: LoanCredit, source: TapeLoan | undefined) => Cell,
];

const COLUMNS: readonly Column[] = [
  ['loan_id', ({ Id }) => Id],
  ['borrower', ({ Borrower }) => Borrower],
  ['stage', (_, { Stage }) => Stage],
  ['reason', (_, { Reason }) => Reason],
  ['stage_uncertain', (_, { StageUncertain }) => (StageUncertain ? 'yes' : 'no')],
  ['days_past_due', (_line, _credit, source) => source?.terms.days_past_due ?? null],
  ['origination_pd', (_line, _credit, source) => source?.terms.origination_pd ?? null],
  ['interest_rate', (_line, _credit, source) => source?.terms.interest ?? null],
  ['loan_usd', ({ LoanUsd }) => LoanUsd],
  ['collateral_usd', ({ CollateralUsd }) => CollateralUsd],
  ['ltv', ({ Ltv }) => Ltv],
  ['days', ({ Days }) => Days],
  ['pd', (_, { PD }) => PD],
  ['ead_usd', (_, { EAD }) => EAD],
  ['lgd', (_, { LGD }) => LGD],
  ['el_usd', (_, { EL }) => EL],
  ['pd_horizon', (_, { PDHorizon }) => PDHorizon],
  ['ead_horizon_usd', (_, { EADHorizon }) => EADHorizon],
  ['lgd_horizon', (_, { LGDHorizon }) => LGDHorizon],
  ['el_horizon_usd', (_, { ELHorizon }) => ELHorizon],
  ['pr_loss', (_, { PrLoss }) => PrLoss],
  ['loss_given_loss_pct', (_, { LossGivenLossPct }) => LossGivenLossPct],
  ['ecl_usd', (_, { ECL }) => ECL],
  ['ecl_standard_error_usd', (_, credit) => credit.Error ?? null],
];

/** What repeats the run, in every row: a file of rows may be cut. */
const runOf = ({ Run, Data }: DeskResult): readonly (readonly [name: string, value: Cell])[] => {
  const { effective_rate: rate } = Run.Credit ?? {};
  return [
    ['effective_rate', rate ?? 'none'],
    ['methodology', Run.Headline],
    ['seed', Run.Seed],
    ['version', Run.Version],
    ['data_as_of', Data.AsOf],
    ['data_version', Data.Market],
  ];
};

export function creditCsv(result: DeskResult): string {
  const source = new Map(result.Tape.Source.map(loan => [loan.id, loan]));
  const run = runOf(result);
  const rows = result.Loans.flatMap(line => {
    const credit = line.Figures.Credit;
    if (credit === undefined) return [];
    return [
      [
        ...COLUMNS.map(([, value]) => value(line, credit, source.get(line.Id))),
        ...run.map(([, value]) => value),
      ],
    ];
  });
  const { Credit } = result.Models[result.Run.Headline].Book;
  const sums: Cell[][] =
    Credit === undefined
      ? []
      : [
          [],
          ['stage', 'loans', 'loan_usd', 'el_usd', 'el_horizon_usd', 'ecl_usd'],
          ...Object.entries(Credit.Stages).map(([stage, each]) => [
            stage,
            each.Loans,
            each.LoanValue,
            each.EL,
            each.ELHorizon,
            each.ECL,
          ]),
          ['all', result.Loans.length, null, Credit.CECL, null, Credit.ECL],
          ['collateral shortfall', null, null, null, null, Credit.CollateralShortfall],
        ];
  const head = [...COLUMNS.map(([name]) => name), ...run.map(([name]) => name)];
  return [head, ...rows, ...sums].map(csvRow).join('');
}
