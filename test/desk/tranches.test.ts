/** Tranches as lines of text, and who bears the losses in sentences. */
import { expect, it } from 'vitest';
import { reportHtml } from '#src/desk/report/report.js';
import type { BookFigures, DeskResult } from '#src/desk/result.js';
import { capitalSentence, tranchesSentence } from '#src/desk/tranche-sentences.js';
import { readTranche, type SentTranche, trancheText, waterfallSent } from '#src/desk/tranches.js';
import { METHODOLOGIES } from '#src/models/methodology/methodologies.js';
import { DESK_RESULT } from '../support/desk-result.ts';

it.each([
  ['equity 0% to 1%', { name: 'equity', attach: 0, detach: 0.01 }],
  ['class A 0.2004 to 1', { name: 'class A', attach: 0.2004, detach: 1 }],
  ['senior PrLoss 1% to 100%', { name: 'senior', attach_for: { figure: 'PrLoss', value: 0.01 }, detach: 1 }],
  [
    'a ExpectedLossPct <= 0.07 % to 100 %',
    { name: 'a', attach_for: { figure: 'ExpectedLossPct', value: 0.07 }, detach: 1 },
  ],
])('A tranche is a line: %s', (text, expected) => {
  const found = readTranche(text) as SentTranche;
  expect(found).toEqual(expected);
  expect(readTranche(trancheText(found))).toEqual(expected);
});

it.each(['senior', '3% to 100%', 'senior 3%', 'senior x to 100%', 'senior 3% to', 'PrLoss 1% to 100%'])(
  'A line that is none says how it is written: %s',
  text => {
    expect(readTranche(text)).toEqual({ message: expect.stringContaining('senior 3% to 100%') });
  },
);

it('Members that are not sent are absent', () => {
  expect(waterfallSent({})).toBeUndefined();
  expect(waterfallSent({ reserve: 0, tranches: undefined })).toEqual({ reserve: 0 });
});

const LEVELS = { '0.99': 35_000 };
const SENIOR = {
  ...{ Attach: 0.02551, Detach: 1, Size: 2.9e6, ExpectedLoss: 353, ExpectedLossPct: 0.012 },
  ...{ PrLoss: 0.01, PrFullLoss: 0, LossVar: LEVELS, LossCVar: LEVELS },
};
const BOOK = {
  ExpectedLoss: 4319,
  Waterfall: { Spread: 0, Reserve: 756, Tranches: 3563, Uncovered: 0 },
  Tranches: { senior: SENIOR, equity: { ...SENIOR, Attach: 0, Detach: 0.0255 } },
  EconomicCapital: { '0.95': 0, '0.99': 78_200 },
  CapitalHorizonDays: 30,
};

it('The sentence names who bears the loss, and the most senior tranche', () => {
  expect(tranchesSentence(BOOK)).toBe(
    'The expected loss of 4,320 USD is borne by the reserve (756), tranches (3,560). The tranche senior, 2.551 % to 100 % of what is lent, loses something in 1.0 % of periods, 0.012 % of its size on average.',
  );
  expect(tranchesSentence({ ...BOOK, Tranches: { senior: { ...SENIOR, PrLoss: 0 } } })).toContain(
    'loses nothing in any simulated period',
  );
  expect(tranchesSentence({ ExpectedLoss: 1 })).toBe('');
});

it('Capital of nothing is said to be no safety', () => {
  expect(capitalSentence(BOOK, '0.99')).toBe(
    'Economic capital at 99 % is 78,200 USD, the loss at that level above the expected loss, for loans of at most 30 days.',
  );
  expect(capitalSentence(BOOK, '0.95')).toContain('that is no safety');
  expect(capitalSentence({ ExpectedLoss: 1 }, '0.99')).toBe('');
});

const FIXED: readonly SentTranche[] = [
  { name: 'senior', attach: 0.02551, detach: 1 },
  { name: 'equity', attach: 0, detach: 0.0255 },
];

it('The report has a row for each tranche, the layers, the capital, and what falls do to tranches', () => {
  const { Models, Run, Loans, Stress } = DESK_RESULT;
  const { STUDENT_T } = Models;
  const { ExpectedLoss: _of, ...bearing } = BOOK;
  const Book = { ...STUDENT_T.Book, ...bearing } as BookFigures;
  const shock = { ...(Stress as NonNullable<DeskResult['Stress']>).Scenarios[0], Replay: null };
  const { ExpectedLoss, LossVar, LossCVar } = STUDENT_T.Book;
  const Then = { ExpectedLoss, LossVar, LossCVar, TrancheLossPct: { senior: 2.5, equity: 0.012 } };
  const part = { '0.95': 0, '0.99': 39_100 };
  const result: DeskResult = {
    ...DESK_RESULT,
    Run: { ...Run, Waterfall: { reserve: 0.002, excess_spread: 0.05, tranches: FIXED } },
    Models: { ...Models, STUDENT_T: { ...STUDENT_T, Book } },
    Accuracy: { 'EconomicCapital 0.99': { low: 70_000, high: 90_000 } },
    Loans: Loans.map(line => ({ ...line, Figures: { ...line.Figures, CapitalContribution: part } })),
    Stress: {
      Paths: 5000,
      Scenarios: [
        { ...shock, Then },
        { ...shock, Name: 'fall 30 %', Title: 'All prices fall 30 %', Then },
      ],
    },
  };
  const page = reportHtml(result, Object.values(METHODOLOGIES));
  const text = page
    .split('<section id="tranches">')[1]
    .split('</section>')[0]
    .replaceAll('&nbsp;', ' ')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');
  expect(text).toContain('senior 2.551 % to 100 % 2.9 million 0.012 % 1.0 % 0 % 1.2 %');
  expect(text).toContain('All prices fall 30 % 2.5 % 0.012 %');
  expect(text).toContain('Reserve 756 ');
  expect(text).toContain('99 % 20,000 500 78,200 70,000 to 90,000');
  expect(text).toMatch(/ 39,100 50 % /);
  expect(text).toContain('The spread is 5.0 % a year');
  expect(reportHtml(DESK_RESULT, Object.values(METHODOLOGIES))).not.toContain('<section id="tranches">');
});
