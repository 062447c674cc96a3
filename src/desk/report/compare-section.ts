/** The section on changes since an earlier result. */
import type { Comparison, StepFigures } from '../comparison.ts';
import { type DeskResult, headlineLevel } from '../result.ts';
import { hasNoCalls, statusSentences } from '../sentences.ts';
import { counted, dayText, grouped, levelText, listed, meanCount, usd } from '../words.ts';
import { type Html, html, NOTHING, type Part, section, table } from './html.ts';

/** Figures of a step, with their words at the level of the headline. */
const figuresAt = (
  level: string,
): readonly (readonly [name: keyof StepFigures, words: string, text: (value: number) => string])[] => [
  ['Loans', 'Loans', value => grouped(value, 0)],
  ['LoanUsd', 'Lent, USD', usd],
  ['MarginCalls', 'Loans called, mean', meanCount],
  ['ExpectedLoss', 'Expected loss, USD', usd],
  ['LossVar', `Loss at ${level}, USD`, usd],
  ['LossCVar', 'Mean beyond it, USD', usd],
  ['PeakDay', `Sold in 24 h at ${level}, USD`, usd],
];
const MAX_TERMS = 40;
const MAX_IDS = 30;

export function compareSection({ Compared, Loans, Run }: DeskResult): Html {
  if (Compared === null) return NOTHING;
  const { AsOf, Changes, File, Status } = Compared;
  return section(
    'compared',
    'What has changed',
    html`<p>Since ${dayText(AsOf)} (${File}): ${counted(Changes.New.length, 'new loan')}, ${Changes.Gone.length} gone, ${Changes.LeftOut.length === 0 ? '' : `${Changes.LeftOut.length} left out today for faults, `}${counted(Changes.Changed.length, 'term')} changed. Each row has one more thing as it is now: prices; the window, what is fitted to it and the time that has passed; which loans there are; their terms. All rows are computed now, on the same draws.</p>`,
    stepsTable(Compared, levelText(Number(headlineLevel(Run))), hasNoCalls(Loans)),
    statusSentences(Status).map(text => html`<p class="small">${text}</p>`),
    idList('New', Changes.New),
    idList('Gone', Changes.Gone),
    idList('Left out today for faults', Changes.LeftOut),
    Changes.Changed.length === 0
      ? NOTHING
      : table(
          ['Loan', 'Term', 'Then', 'Now'],
          Changes.Changed.slice(0, MAX_TERMS).map(({ Id, Term, Then, Now }) => [
            Id,
            Term,
            Then ?? 'none',
            Now ?? 'none',
          ]),
          { firstNumber: 2 },
        ),
    Changes.Changed.length > MAX_TERMS
      ? html`<p class="small">${Changes.Changed.length - MAX_TERMS} more changes of terms are in the JSON.</p>`
      : NOTHING,
  );
}

function stepsTable({ Steps }: Comparison, level: string, withoutCalls: boolean): Html {
  const figures = figuresAt(level);
  const headings = figures.map(([, words]) => (withoutCalls ? words.replace('called', 'liquidated') : words));
  return table(
    ['Step', ...headings],
    Steps.map(({ Step, Figures }, k) => [
      html`<b>${Step}</b>`,
      ...figures.map(([name, , text]): Part => {
        const change = k === 0 ? 0 : Figures[name] - Steps[k - 1].Figures[name];
        return html`<div>${text(Figures[name])}</div>${changeText(change, text)}`;
      }),
    ]),
  );
}

/** A change with its sign; nothing where all digits are 0. */
function changeText(change: number, text: (value: number) => string): Html {
  const size = text(Math.abs(change));
  if (!/[1-9]/.test(size)) return NOTHING;
  return html`<div class="small">${change > 0 ? '+' : '−'}${size}</div>`;
}

const idList = (title: string, ids: readonly string[]): Html =>
  ids.length === 0 ? NOTHING : html`<p class="small">${title}: ${listed(ids, MAX_IDS)}.</p>`;
