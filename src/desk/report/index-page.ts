/** The page of a folder of runs: a row for each, the newest first. */
import { leftOutLoans } from '../left-out.ts';
import { type DeskResult, headlineLevel } from '../result.ts';
import { dayText, grouped, levelText, percent, usd } from '../words.ts';
import { html, type Part, table, whole } from './html.ts';
import { page } from './style.ts';

export interface RunSummary {
  readonly Title: string;
  readonly AsOf: string;
  readonly Synthetic: boolean;
  readonly Loans: number;
  readonly LeftOut: number;
  readonly LoanUsd: number;
  readonly Ltv: number;
  readonly Called: number;
  readonly Headline: string;
  readonly Level: number;
  readonly ExpectedLoss: number;
  readonly LossCVar: number;
  /** Null where there were no limits. */
  readonly Limits: {
    readonly Breached: number;
    /** Cannot be judged; absent from older summaries. */
    readonly Unknown?: number;
    readonly Close: number;
    readonly All: number;
  } | null;
}

export function summaryOf({ Title, Data, Tape, Today, Run, Models, Limits }: DeskResult): RunSummary {
  const level = headlineLevel(Run);
  const { Book } = Models[Run.Headline];
  const of = (status: string) => (Limits ?? []).filter(({ Status }) => Status === status).length;
  return {
    Title,
    AsOf: Data.AsOf,
    Synthetic: Data.Synthetic,
    Loans: Tape.Loans,
    LeftOut: leftOutLoans(Tape).length,
    LoanUsd: Today.LoanUsd,
    Ltv: Today.Ltv,
    Called: Today.Called + Today.Liquidated,
    Headline: Run.Headline,
    Level: Number(level),
    ExpectedLoss: Book.ExpectedLoss,
    LossCVar: Book.LossCVar[level],
    Limits: Limits && {
      Breached: of('breached'),
      Unknown: of('unknown'),
      Close: of('close'),
      All: Limits.length,
    },
  };
}

/** @param runs folders of runs beside the page, with their summaries, the newest first */
export function indexHtml(runs: readonly (readonly [folder: string, summary: RunSummary])[]): string {
  const rows = runs.map(([folder, run]): Part[] => [
    html`<a href="${folder}/report.html">${whole(folder.replace(/T(\d\d)-(\d\d).*$/, ' $1:$2'))}</a>`,
    html`${run.Title}${run.Synthetic ? html` <b>(synthetic)</b>` : ''}`,
    limitsText(run.Limits),
    dayText(run.AsOf).slice(0, 10),
    run.LeftOut === 0 ? grouped(run.Loans, 0) : `${grouped(run.Loans, 0)} (${run.LeftOut} left out)`,
    usd(run.LoanUsd),
    percent(run.Ltv),
    run.Called,
    usd(run.ExpectedLoss),
    html`${usd(run.LossCVar)}<br><span class="small">${run.Headline}, ${levelText(run.Level)}</span>`,
  ]);
  const names = [
    'Made (UTC)',
    'Title',
    'Limits',
    'Data to',
    'Loans',
    'Lent, USD',
    'LTV',
    'Called',
    'Expected loss, USD',
    'Mean tail loss, USD',
  ];
  return page('Runs', html`<h1>Runs</h1>${table(names, rows, { firstNumber: 3 })}`);
}

function limitsText(limits: RunSummary['Limits']): Part {
  if (limits === null) return 'none';
  const { Breached, Unknown = 0, All } = limits;
  const alarms = [
    ...(Breached > 0 ? [`${Breached} of ${All} breached`] : []),
    ...(Unknown > 0 ? [`${Unknown} of ${All} not known`] : []),
  ];
  if (alarms.length > 0) return html`<span class="breached">${alarms.join(', ')}</span>`;
  return limits.Close > 0
    ? html`<span class="close">${limits.Close} of ${limits.All} close</span>`
    : html`<span class="ok">ok</span>`;
}
