/** The report: one file, every section, and texts of a caller without HTML. */
import { describe, expect, it } from 'vitest';
import { creditCsv } from '#src/cli/credit-csv.js';
import { errorText } from '#src/desk/limit-text.js';
import { reportHtml } from '#src/desk/report/report.js';
import type { DeskResult, Judged, LoanLine, Losses, StressedBook } from '#src/desk/result.js';
import { headlines } from '#src/desk/sentences.js';
import { summaryText } from '#src/desk/summary.js';
import { standingOf, todayOf } from '#src/desk/today.js';
import { verdictsOf } from '#src/desk/verdict.js';
import {
  chance,
  fallText,
  meanCount,
  price,
  roughUsd,
  shareText,
  simulatedUsd,
  usd,
} from '#src/desk/words.js';
import { METHODOLOGIES } from '#src/models/methodology/methodologies.js';
import type { TapeLoan } from '#src/tape/tape.js';
import { type LoanValue, loanValueOf } from '#src/tape/valuation.js';
import { CALLS, COMPARED, DESK_RESULT } from '../support/desk-result.ts';

/** The page with plain spaces before units. */
const pageOf = (result: DeskResult) =>
  reportHtml(result, Object.values(METHODOLOGIES)).replaceAll('&nbsp;', ' ');
const page = pageOf(DESK_RESULT);
const sectionsOf = (text: string) => [...text.matchAll(/<section id="([^"]+)"/g)].map(([, id]) => id);
const LIMITS: DeskResult['Limits'] = [
  {
    Line: 1,
    Limit: 'loan LTV <= 0.7',
    Status: 'breached',
    Value: 0.8,
    Bound: 0.7,
    Of: 'b',
    Breaching: ['b', 'c'],
    Unknown: [],
    Interval: null,
    WithinError: false,
    Sampling: 'none',
  },
];

describe('The report', () => {
  it('has no word of calls where every loan is liquidated without one', () => {
    const at = { MarginCallLtv: 0.8, LiquidationLtv: 0.8, Status: 'within' } as const;
    const Loans = DESK_RESULT.Loans.map(loan => ({ ...loan, ...at }));
    const Today = { ...DESK_RESULT.Today, Called: 0, Liquidated: 0 };
    const Tape = { ...DESK_RESULT.Tape, Remarks: [], Notes: [] };
    const scenario = DESK_RESULT.Scenario as NonNullable<DeskResult['Scenario']>;
    const withoutCalls = ({ Events, ...loan }: (typeof scenario.Loans)[string]) => ({
      ...loan,
      Events: Events.filter(({ Event }) => Event !== 'called'),
    });
    const Scenario = {
      ...scenario,
      Loans: Object.fromEntries(Object.entries(scenario.Loans).map(([id, loan]) => [id, withoutCalls(loan)])),
    };
    const Compared = { ...COMPARED, Status: [] };
    const result = { ...DESK_RESULT, Loans, Today, Tape, Scenario, Compared, Calls: [], Warnings: [] };
    const text = pageOf({ ...result, Run: { ...result.Run, Command: 'book' } })
      .replace(/<style>.*?<\/style>/s, '')
      .replaceAll(/<[^>]+>/g, ' ');
    expect(text.match(/[^.]*\bcall(s|ed)?\b[^.]*/gi) ?? []).toEqual([]);
    expect(page).toMatch(/Fall to call/);
  });

  it('shows the scenario at the loss of the headline, and none where nothing is lost', () => {
    const [, scenario] = page.split('<section id="scenario">');
    const text = scenario.split('</section>')[0].replaceAll(/<[^>]+>/g, ' ');
    expect(text).toContain('The scenario at the 99 % loss');
    expect(text).toContain('A loss of 20,400 USD; 0.95 % of scenarios lose more.');
    expect(text).toContain('The lowest prices: WXYZ -50.0 % (day 2), BTC -30.0 % (day 2).');
    expect(text).toContain('2 loans reach their margin call LTV and 1 is sold by force for 180,000 USD');
    expect(text).toContain('called in hour 1 at 80.0 %; closed out in hour 30 at 105.3 %; 1 more event');
    // Two calls on the first two days, the sale on the third.
    expect(text.replaceAll(/\s+/g, ' ')).toMatch(/ 1 1 0 0 0 2 1 1 0 0 3 0 0 180,000 20,400 /);
    const without = { ...(DESK_RESULT.Scenario as NonNullable<DeskResult['Scenario']>), Loss: 0 };
    expect(sectionsOf(pageOf({ ...DESK_RESULT, Scenario: without }))).not.toContain('scenario');
  });

  it('draws intervals over bars, and the days beyond a level along time', () => {
    const Accuracy = { 'LossCVar 0.99': { low: 20_000, high: 31_000 } };
    const GBM = { ...DESK_RESULT.Models.GBM, Accuracy };
    const drawn = pageOf({ ...DESK_RESULT, Models: { ...DESK_RESULT.Models, GBM } });
    const pictureOf = (title: string) =>
      new RegExp(`<svg [^>]*aria-label="${title}"[\\s\\S]*?</svg>`).exec(drawn)?.[0] ?? '';
    const whiskers = pictureOf('Loss by scenario').match(/<path class="whisker" d="([^"]+)"/g) ?? [];
    expect(whiskers).toHaveLength(
      (DESK_RESULT.Stress?.Scenarios ?? []).filter(each => each.Interval?.low).length,
    );
    expect(pictureOf('Mean loss beyond 99 % by methodology').match(/class="whisker"/g)).toHaveLength(1);
    const hits = pictureOf('Days with a loss beyond the level');
    expect(hits.match(/<path class="hit main" d="[^"]*"/g)?.map(row => row.split('M').length - 1)).toEqual([
      3, 9,
    ]);
    expect(hits).toContain('>2023-10-24</text>');
    expect(hits).toContain('>2024-06-29</text>');
  });

  it('has its sections, and limits only if there are any', () => {
    const all = [
      'left-out',
      'warnings',
      'models',
      'scenario',
      'stress',
      'sales',
      'bands',
      'concentration',
      'loans',
      'again',
    ];
    expect(sectionsOf(page)).toEqual(all);
    expect(sectionsOf(pageOf({ ...DESK_RESULT, Limits: LIMITS, Calls: CALLS }))).toEqual([
      ...['limits', 'calls'],
      ...all,
    ]);
  });

  it('lets an asset fall as collateral and as debt alike in its table of falls', () => {
    const prices = new Map([
      ...(['USD', 'USDC'] as const).map(asset => [asset, 1] as const),
      ...([
        ['BTC', 50_000],
        ['ETH', 2_500],
        ['SOL', 100],
      ] as const),
    ]);
    const terms = { margin_call_ltv: 0.75, liquidation_ltv: 0.85 };
    const loans = (
      [
        ['BTC', 2, 'USD', 60_000],
        ['ETH', 40, 'BTC', 1.2],
        ['USDC', 100_000, 'BTC', 1],
        ['ETH', 40, 'SOL', 600],
      ] as const
    ).map(
      ([asset, amount, loanAsset, loanAmount], k): TapeLoan => ({
        ...{ id: `l${k}`, lines: [2 + k], collateral: [{ asset, amount }], loanAsset, loanAmount, terms },
      }),
    );
    const { Figures } = DESK_RESULT.Loans[0];
    const Loans = loans.map(loan => ({ ...standingOf(loan, prices), Days: 30, Figures }));
    const text = pageOf({ ...DESK_RESULT, Today: todayOf(loans, prices), Loans });
    // SOL is no collateral of the book, and its price stays.
    const fallen = new Map([...prices, ['BTC', 35_000], ['ETH', 1_750]]);
    const sum = (pick: (value: LoanValue) => number) =>
      usd(loans.reduce((total, loan) => total + pick(loanValueOf(loan, fallen)), 0));
    const expected = [
      sum(({ status, loanUsd }) => (status === 'within' ? 0 : loanUsd)),
      sum(({ status, loanUsd }) => (status === 'liquidated' ? loanUsd : 0)),
      sum(({ loanUsd, collateralUsd }) => Math.max(0, loanUsd - collateralUsd)),
    ];
    expect(expected).toEqual(['120,000', '120,000', '0']);
    const row = /<td>30 %<\/td>(.*?)<\/tr>/.exec(text)?.[1] ?? '';
    expect([...row.matchAll(/>([\d,.]+)</g)].map(([, cell]) => cell)).toEqual(expected);
  });

  it('shows the changes since an earlier result, for each figure and step', () => {
    const text = pageOf({ ...DESK_RESULT, Compared: COMPARED });
    expect(sectionsOf(text)).toContain('compared');
    for (const part of [
      'Since 2025-12-24, 24:00 UTC (before.json): 2 new loans, 1 gone, 1 term changed.',
      '<th scope="col" class="n">Loss at 99 %, USD</th>',
      '<b>prices</b></td><td class="n"><div>2</div></td>',
      '<div>650</div><div class="small">−50.00</div>',
      '<div>3</div><div class="small">+1</div>',
      'New: n1, n2.',
      '<td>b</td><td>interest</td><td class="n">0.1</td><td class="n">none</td>',
    ])
      expect(text).toContain(part);
  });

  it('names loans of the earlier result that are left out today apart from those that are gone', () => {
    const Changes = { ...COMPARED.Changes, LeftOut: ['x', 'y'] };
    const text = pageOf({ ...DESK_RESULT, Compared: { ...COMPARED, Changes } });
    expect(text).toContain('2 new loans, 1 gone, 2 left out today for faults, 1 term changed.');
    expect(text).toContain(
      '<p class="small">Gone: g.</p><p class="small">Left out today for faults: x, y.</p>',
    );
    expect(text).toContain('<p>In the earlier book, and left out today for faults: x, y.</p>');
    expect(pageOf({ ...DESK_RESULT, Compared: COMPARED })).not.toContain('left out today for faults');
  });

  it('explains each limit, with its value in the unit of the bound', () => {
    const text = pageOf({ ...DESK_RESULT, Limits: LIMITS });
    expect(text).toContain('loan LTV at most 70.0 %<div');
    expect(text).toContain('<div class="small">highest LTV of a loan today</div>');
    expect(text).toContain('<td class="n">80.0 %</td><td class="n">70.0 %</td><td class="n">114 %</td>');
  });

  it('names on its first page limits that are breached, and those that cannot be judged with the reason', () => {
    const [breached] = LIMITS ?? [];
    const unknown = { ...breached, Status: 'unknown' as const, Value: null, Of: null, Breaching: [] };
    const Limits = [
      breached,
      { ...breached, Status: 'ok' as const, Limit: 'book LTV <= 0.9', Value: 0.6 },
      { ...unknown, Limit: 'PeakDay <= 20% of daily volume', Bound: 0.2, Unknown: ['WXYZ', 'BTC'] },
      { ...unknown, Limit: 'scenario loss <= 9', Bound: 9, Unknown: [] },
    ];
    const text = pageOf({ ...DESK_RESULT, Limits });
    expect(text).toContain(
      '<h3>Limits</h3><p class="breached">1 of 4 limits is breached: loan LTV at most 70.0 %. 2 of 4 limits cannot be judged: PeakDay at most 20.0 % of daily volume (no volume in the store: WXYZ, BTC), scenario loss at most 9 USD (no scenarios were computed).</p></div>',
    );
    expect(text).toContain('<span class="breached">2 limits cannot be judged.</span>');
    expect(text).toContain('<div class="small">No volume in the store: WXYZ, BTC</div>');
    expect(text).toContain('<div class="small">No scenarios were computed</div>');
    expect(summaryText({ ...DESK_RESULT, Limits })).toContain(
      '\nunknown   scenario loss <= 9; no scenarios were computed\n',
    );
    expect(page).toContain('<h3>Limits</h3><p>No limits were given.</p>');
    expect(pageOf({ ...DESK_RESULT, Limits: [Limits[1]] })).toContain(
      '<h3>Limits</h3><p>All limits are kept.</p>',
    );
  });

  it('shows the interval of a limit, and that it reaches over the bound', () => {
    const [breached] = LIMITS ?? [];
    const near = {
      ...{
        ...breached,
        Limit: 'LossCVar 0.99 <= 44000',
        Value: 45_000,
        Bound: 44_000,
        Of: null,
        Breaching: [],
      },
      ...{ Interval: { low: 40_000, high: 51_000.4 }, WithinError: true },
    };
    const result = { ...DESK_RESULT, Limits: [near, breached] };
    const text = pageOf(result);
    expect(text).toContain(
      '<span class="breached">breached</span><div class="small">within the error of the limit</div>',
    );
    expect(text).toContain('45,000<div class="small">40,000 to 51,000</div>');
    expect(text).toContain('Limits are judged on the value.');
    expect(summaryText(result)).toContain(
      '\nbreached  LossCVar 0.99 <= 44000  (45,000); within the error of the limit\n',
    );
    expect(pageOf({ ...DESK_RESULT, Limits: LIMITS })).not.toMatch(
      /error of the limit|sampling error unknown|judged on the value/,
    );
  });

  it.each([
    ['breached', { low: null, high: 51_000 }, 'unknown', 'sampling error unknown'],
    ['breached', { low: 44_500, high: null }, 'known', ''],
    ['close', { low: 40_000, high: null }, 'unknown', 'sampling error unknown'],
    ['ok', { low: null, high: 43_000 }, 'known', ''],
  ] as const)(
    'says of a limit that is %s where the end %j that decides is not known',
    (Status, Interval, Sampling, words) => {
      const [breached] = LIMITS ?? [];
      const limit = { ...breached, Status, Interval, WithinError: false, Sampling };
      const result = { ...DESK_RESULT, Limits: [limit] };
      expect(errorText(limit)).toBe(words);
      expect(pageOf(result).includes('>sampling error unknown<')).toBe(words !== '');
      expect(summaryText(result).includes('; sampling error unknown\n')).toBe(words !== '');
    },
  );

  it('loads nothing from the network, and runs no script', () => {
    expect(
      page.match(/\b(?:src|href|srcset|action)=|url\((?!data:)|@import|<script|<link|<iframe/gi),
    ).toBeNull();
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'; font-src data:"`);
  });

  it('shows names of the tape as text', () => {
    expect(page).toContain('&lt;b&gt;a&lt;/b&gt;');
    expect(page).not.toContain('<b>a</b>');
    expect(page).toContain('Ann &amp; Sons');
    const broken = pageOf({ ...DESK_RESULT, Title: '</style><script>alert(1)</script>"\\' });
    expect(broken).not.toContain('<script');
  });

  it('closes every element that it opens', () => {
    const open: string[] = [];
    for (const [, slash, name, self] of page.matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^>]*?(\/?)>/gi)) {
      if (slash === '' && self === '' && !['meta', 'br'].includes(name)) open.push(name);
      else if (slash === '/') expect(open.pop()).toBe(name);
    }
    expect(open).toEqual([]);
  });

  it('has a title, the date and the age of the data, also at the foot of each printed page', () => {
    expect(page).toContain('<h1>Loans of today</h1>');
    expect(page).toContain('Data as of 2025-12-31, 24:00 UTC. Made on 2026-01-02 08:00 UTC.');
    expect(page).toContain(
      '<div class="foot" aria-hidden="true">Loans of today · data as of 2025-12-31, 24:00 UTC</div>',
    );
  });

  it('says under the sentences of its first page what a loss is, and what is in no figure', () => {
    const first = page.split('<section')[0];
    expect(first).toMatch(
      /<\/div><p class="small">A loss is debt that the sale of its collateral does not cover/,
    );
    expect(first).toContain('defaults for reasons other than prices are in no figure');
  });

  it('names synthetic prices, and only these', () => {
    expect(page).not.toMatch(/ynthetic[: ](?!\{)/);
    const sample = pageOf({ ...DESK_RESULT, Data: { ...DESK_RESULT.Data, Synthetic: true } });
    expect(sample).toContain('<p class="synthetic">Synthetic: the prices of the sample market are made up.');
  });

  it('has the sums of its tables of concentration, with the borrowers that are not shown', () => {
    const rowsOf = (result: DeskResult, title: string) =>
      (
        pageOf(result)
          .split(`<h3>${title}</h3>`)[1]
          .split('</table>')[0]
          .match(/<tr>.*?<\/tr>/g) ?? []
      ).map(row => row.replace(/<\/td>/g, '|').replace(/<[^>]*>/g, ''));
    expect(rowsOf(DESK_RESULT, 'By asset of the collateral').at(-1)).toBe('All|3|1,000,000|100.0 %|100.0 %|');
    expect(rowsOf(DESK_RESULT, 'By borrower').slice(1)).toEqual([
      'Ann &amp; Sons|2|400,000|66.7 %|53.3 %|88.9 %|',
      'c|1|200,000|33.3 %|80.0 %|11.1 %|',
      'All|3|600,000|100.0 %|60.0 %|100.0 %|',
    ]);
    const [loan] = DESK_RESULT.Loans;
    const Loans = Array.from({ length: 12 }, (_, k) => ({ ...loan, Id: `l${k}`, Borrower: null }));
    const Borrowers = Loans.map(({ Id }) => ({ Name: Id, Loans: 1, LoanUsd: 50_000, CollateralUsd: 80_000 }));
    const many = { ...DESK_RESULT, Loans, Today: { ...DESK_RESULT.Today, Borrowers } };
    expect(rowsOf(many, 'By borrower').at(-2)).toMatch(/^2 others\|2\|100,000\|16\.7 %\|62\.5 %\|/);
  });

  it('names volumes that are missing, and needs none of dollars', () => {
    const { Assets } = DESK_RESULT.Today;
    const salesOf = (names: readonly string[], Volumes: DeskResult['Data']['Volumes']) =>
      pageOf({
        ...DESK_RESULT,
        Today: { ...DESK_RESULT.Today, Assets: names.map(Name => ({ ...Assets[0], Name })) },
        Data: { ...DESK_RESULT.Data, Volumes },
      })
        .split('<section id="sales">')[1]
        .split('</section>')[0];
    const { BTC } = DESK_RESULT.Data.Volumes;
    const traded = 'Traded: the median of 90 days, summed';
    const missing = 'None: the store lacks such a volume.';
    const both = salesOf(['BTC', 'USD'], { BTC, USD: null });
    expect(both).toContain(traded);
    expect(both).toContain('Dollars need no market.</p>');
    expect(both).not.toContain(missing);
    expect(both).not.toContain('>none<');
    const none = salesOf(['ETH'], { ETH: null });
    expect(none).toContain(`${missing}</p>`);
    expect(none).toContain('Sold: the mean beyond 99 % (200 of 20,000 paths).');
    const few = { ...DESK_RESULT.Models.STUDENT_T, Paths: 1999 };
    const parts = pageOf({ ...DESK_RESULT, Models: { ...DESK_RESULT.Models, STUDENT_T: few } });
    expect(parts.split('Fewer than 100 scenarios lie beyond every level')).toHaveLength(4);
    expect(parts).toContain('>Expected loss, USD</th></tr></thead>');
    expect(parts).not.toContain('>Part of tail loss, USD<');
    expect(none).toContain('>none<');
  });

  it('says of a table of assets that a loan counts in each of its assets', () => {
    const words = 'A loan with several assets counts in each of them';
    expect(page).not.toContain(words);
    const Assets = DESK_RESULT.Today.Assets.map(each => ({ ...each, Loans: 2 }));
    expect(pageOf({ ...DESK_RESULT, Today: { ...DESK_RESULT.Today, Assets } })).toContain(words);
  });

  it('has loans left out, notes, carried prices and warnings in sentences', () => {
    for (const text of [
      'Not in the figures: 1 loan',
      'maturity: &quot;soon&quot; is not a date',
      'GBM is too low beyond 99 %. <span class="small">(GBM)</span>',
      '1 loan (a) without a maturity: followed to the horizon.',
      'The last close of WXYZ is from an earlier day.',
      'Columns of the tape that are not used: Desk.',
      'The back-test of FHS is left out: no prices.',
      'The worst is “Fall of all markets, March 2020”: 61,000 USD.',
    ])
      expect(page).toContain(text);
  });

  it('has the faults of loans left out by kind, with the names of the loans', () => {
    const [leftOut] = DESK_RESULT.Tape.LeftOut;
    const pageWith = (LeftOut: DeskResult['Tape']['LeftOut']) =>
      pageOf({ ...DESK_RESULT, Tape: { ...DESK_RESULT.Tape, LeftOut } });
    const same = Array.from({ length: 40 }, (_, k) => ({ ...leftOut, Line: k + 2, Id: `L-${k}` }));
    const text = pageWith(same);
    expect(text).toContain('Not in the figures: 40 loans');
    expect(text).toMatch(/No figure of this report includes them: L-0, .*, L-29 and 10 more\./);
    expect(text).toContain(
      'line 2 (loan L-0), line 3 (loan L-1), line 4 (loan L-2), line 5 (loan L-3), line 6 (loan L-4) and 35 more',
    );
    expect(text.match(/is not a date/g)).toHaveLength(1);
    const kinds = (count: number) =>
      pageWith(Array.from({ length: count }, (_, k) => ({ ...leftOut, Column: `c${k}` })));
    expect(kinds(50)).not.toContain('not shown');
    expect(kinds(51)).toContain('1 more kind of faults is not shown.');
    expect(kinds(52)).toContain('2 more kinds of faults are not shown.');
  });

  it('says that volumes are not in it, and not that the store lacks them, where nobody has looked', () => {
    const lacks = 'None: the store lacks such a volume.';
    expect(page).toContain(lacks);
    const text = pageOf({ ...DESK_RESULT, Data: { ...DESK_RESULT.Data, Volumes: {} } });
    expect(text).toContain('This report has no traded volumes.');
    expect(text).not.toContain(lacks);
    expect(text).toContain('<td>WXYZ</td><td class="n">150,000</td><td class="n"></td>');
  });

  it('shows a picture of 0 without losses', () => {
    const { Models } = DESK_RESULT;
    const calm = { ...Models.GBM, Book: { ...Models.GBM.Book, LossCVar: { '0.95': 0, '0.99': 0 } } };
    const text = pageOf({ ...DESK_RESULT, Models: { STUDENT_T: calm, GBM: calm } });
    expect(text).not.toMatch(/NaN|Infinity|undefined/);
  });
});

describe('The sentences of a result', () => {
  it('name chances in words, losses with their sampling error, and the range of methodologies', () => {
    expect(headlines(DESK_RESULT)).toEqual([
      'The book holds 3 loans of 600,000 USD against collateral of 1 million USD: an LTV of 60.0 %. 1 loan of the tape of 82,700 USD is left out for faults and not in any figure or limit: d.',
      'Today 1 loan is in margin call.',
      '2 of the 2 loans not in margin call today have more than one chance in three of a call within 30 days. On average 1.4 loans are called, those in call today included; in one of a hundred periods 3 or more.',
      'In one of a hundred periods of 30 days the book loses more than 20,000 USD (sampling alone: 18,000 to 22,500); the mean of those losses is 45,000 USD. The expected loss is 500 USD.',
      'If no collateral were sold, the book would lose more than 80,000 USD in one of a hundred periods.',
      'On average 90,000 USD of collateral is sold by force; in one of a hundred periods 400,000 USD or more is sold within 24 hours.',
      'The methodologies differ: the mean loss beyond 99 % is 11,300 USD under GBM and 45,000 USD under STUDENT_T.',
      'Under “Fall of all markets, March 2020” the loss is 61,000 USD.',
    ]);
    const whole = { ...DESK_RESULT, Tape: { ...DESK_RESULT.Tape, LeftOut: [] } };
    expect(headlines(whole)[0]).toMatch(/an LTV of 60\.0 %\.$/);
  });

  it('name objections of the back-test to the methodology of the headline', () => {
    const gbm = { ...DESK_RESULT, Run: { ...DESK_RESULT.Run, Headline: 'GBM' } };
    expect(headlines(gbm).at(-1)).toBe(
      'On the last 250 days the back-test objects to GBM (9 days beyond 99 % where 2.5 are promised: too low).',
    );
  });

  it('of a rare event say that the level itself has none', () => {
    const { STUDENT_T } = DESK_RESULT.Models;
    const none = { '0.95': 0, '0.99': 0 };
    const Book = {
      ...STUDENT_T.Book,
      MarginCalls: { Mean: 0.002, Quantiles: none },
      PeakDay: { ...STUDENT_T.Book.PeakDay, Quantiles: none },
    };
    const Models = { ...DESK_RESULT.Models, STUDENT_T: { ...STUDENT_T, Book } };
    const Run = { ...DESK_RESULT.Run, HorizonDays: 1 };
    const [, , calls, loss, , sold] = headlines({ ...DESK_RESULT, Models, Run });
    expect(calls).toContain('of a call within 1 day. On average 0.002 loans are called');
    expect(calls).toMatch(/today included; in 99 % of periods none\.$/);
    expect(loss).toMatch(/^In one of a hundred periods of 1 day the book loses more than 20,000 USD/);
    expect(sold).toMatch(/ is sold by force; in 99 % of periods nothing is sold\.$/);
    const text = pageOf({ ...DESK_RESULT, Models, Run });
    for (const part of [
      'Horizon: 1 day.',
      '>loans called within 1 day, on average; ',
      '>USD lost on average in the worst 1 of 100 periods; ',
      '<b>0</b><span>USD sold by force in 99 % of periods<',
      'After each, 1 day is simulated',
      '>Called in 1 day<',
    ])
      expect(text).toContain(part);
    expect(page).toContain('After each, 30 days are simulated');
  });

  it('say on which days the back-test has judged where some lack a close', () => {
    const Models = { GBM: { ...(DESK_RESULT.Backtest?.Models.GBM as Judged), Forecasts: 26, Carried: 34 } };
    const Backtest = { Basket: { BTC: 0.586, ETH: 0.211, SOL: 0.203 }, Models };
    const result = { ...DESK_RESULT, Backtest, Run: { ...DESK_RESULT.Run, Headline: 'GBM' } };
    expect(headlines(result).at(-1)).toMatch(
      /^On 26 of the last 60 days \(the others lack a close\) the back-test objects to GBM /,
    );
    expect(pageOf(result)).toContain(
      'as it is today (58.6 % BTC, 21.1 % ETH, 20.3 % SOL), a day ahead, on 26 of the last 60 days (the others lack a close): the number',
    );
  });

  it('name the worst scenario, or that none costs more than the book as it is', () => {
    const { Paths = 0, Scenarios = [] } = DESK_RESULT.Stress ?? {};
    const [base, window] = Scenarios;
    const worstOf = (...some: readonly StressedBook[]) =>
      headlines({ ...DESK_RESULT, Stress: { Paths, Scenarios: some } }).at(-1);
    const other = {
      ...window,
      Title: 'Other',
      Replay: null,
      Then: { ...(base.Then as Losses), ExpectedLoss: 7 },
    };
    expect(worstOf(base, window, other)).toBe(
      'The worst of 2 scenarios is “Fall of all markets, March 2020”: a loss of 61,000 USD.',
    );
    expect(worstOf(base, other)).toBe('No scenario costs more than the book as it is: 500 USD.');
  });

  it('name what the collateral of today does not cover', () => {
    const [a, b, c] = DESK_RESULT.Loans;
    const short = (loan: LoanLine, missing: number) => ({ ...loan, CollateralUsd: loan.LoanUsd - missing });
    const sentenceOf = (...Loans: readonly LoanLine[]) => headlines({ ...DESK_RESULT, Loans })[2];
    expect(sentenceOf(a, short(b, 1500), c)).toBe(
      '1 loan owes more than its collateral is worth today: 1,500 USD are not covered (b).',
    );
    expect(sentenceOf(short(a, 500), short(b, 1500), short(c, 0))).toBe(
      '2 loans owe more than their collateral is worth today: 2,000 USD are not covered (<b>a</b>, b).',
    );
    expect(sentenceOf(a, b, c)).toMatch(/not in margin call today/);
  });

  it('have no paths of a methodology that draws none', () => {
    const { STUDENT_T, GBM } = DESK_RESULT.Models;
    const Models = { STUDENT_T: { ...STUDENT_T, Paths: null }, GBM };
    const { Scenarios = [] } = DESK_RESULT.Stress ?? {};
    const result = { ...DESK_RESULT, Models, Stress: { Paths: null, Scenarios } };
    expect(summaryText(result)).toContain('; STUDENT_T, seed 1.\n');
    expect(summaryText(DESK_RESULT)).toContain('; STUDENT_T, 20000 paths, seed 1.\n');
    const text = pageOf(result);
    expect(text).toContain('STUDENT_T draws no paths: each has the windows of the past.');
    expect(text).toContain(
      'fitted to 365 days; 20,000 paths; STUDENT_T has the windows of these days, and draws none; seed 1',
    );
    const one = { ...result, Run: { ...DESK_RESULT.Run, Types: ['STUDENT_T'] } };
    expect(pageOf(one)).toContain('STUDENT_T; fitted to 365 days; STUDENT_T has the windows');
    const all = { ...DESK_RESULT, Stress: { Paths: 20_000, Scenarios } };
    expect(pageOf(all)).toContain('The 20,000 paths of the first page for each. docs');
  });

  it('state that the level itself has no loss', () => {
    const { STUDENT_T } = DESK_RESULT.Models;
    const Book = { ...STUDENT_T.Book, LossVar: { '0.95': 0, '0.99': 0 }, PrLoss: 0.0002 };
    const [, , , loss] = headlines({
      ...DESK_RESULT,
      Models: { ...DESK_RESULT.Models, STUDENT_T: { ...STUDENT_T, Book } },
    });
    expect(loss).toBe(
      'The book loses something in 0.02 % of all periods, and so nothing at the level of 99 %; the mean of the worst 1 % is 45,000 USD.',
    );
  });

  it('never call a loss that no path has impossible', () => {
    const { STUDENT_T } = DESK_RESULT.Models;
    const none = { '0.95': 0, '0.99': 0 };
    const Book = { ...STUDENT_T.Book, LossVar: none, LossCVar: none, ExpectedLoss: 0, PrLoss: 0 };
    const calm = (Unsold: typeof Book.Unsold, Accuracy: DeskResult['Accuracy']) =>
      headlines({
        ...DESK_RESULT,
        Accuracy,
        Models: { ...DESK_RESULT.Models, STUDENT_T: { ...STUDENT_T, Book: { ...Book, Unsold } } },
      }).slice(3, 5);
    const rare = { ...Book.Unsold, LossVar: none, PrLoss: 0.004 };
    expect(calm(rare, { PrLoss: { low: 0, high: 0.00736 } })).toEqual([
      'The book loses nothing in any simulated period of 30 days (sampling alone: 0.74 % of all periods at most).',
      'If no collateral were sold, the book would lose something in 0.4 % of all periods.',
    ]);
    expect(calm({ ...rare, PrLoss: 0 }, {})).toEqual([
      'The book loses nothing in any simulated period of 30 days.',
      'If no collateral were sold, the book would lose nothing in any simulated period.',
    ]);
  });

  it('name the sampling error of a tail mean', () => {
    const Accuracy = { 'LossCVar 0.99': { low: 40_000, high: 51_000 } };
    expect(headlines({ ...DESK_RESULT, Accuracy })[3]).toContain(
      'the mean of those losses is 45,000 USD (sampling alone: 40,000 to 51,000).',
    );
  });

  it('name the change of the tail since an earlier result, its largest step, and loans with another status', () => {
    expect(headlines({ ...DESK_RESULT, Compared: COMPARED }).slice(7, 11)).toEqual([
      'Since 2025-12-24, 24:00 UTC the mean loss beyond 99 % has risen from 2,000 to 2,040 USD; most of the change comes from prices (+10 USD).',
      'In the tape since then: new: 2 loans (n1, n2); gone: 1 loan (g); changed: 1 term.',
      'In margin call since then: b.',
      'In margin call then, and not now: c.',
    ]);
    const Changes = { New: [], Gone: [], LeftOut: [], Changed: [] };
    const same = { ...COMPARED, Changes, Status: [], Steps: COMPARED.Steps.slice(0, 1) };
    expect(headlines({ ...DESK_RESULT, Compared: same }).join(' ')).not.toContain('In the tape since');
    expect(headlines({ ...DESK_RESULT, Compared: same })).toContain(
      'Since 2025-12-24, 24:00 UTC the mean loss beyond 99 % is as it was, 2,000 USD.',
    );
  });

  it('state that methodologies agree', () => {
    const { STUDENT_T } = DESK_RESULT.Models;
    const Models = { STUDENT_T, GBM: STUDENT_T };
    expect(headlines({ ...DESK_RESULT, Models })).toContain(
      'The mean loss beyond 99 % is 45,000 USD under every methodology.',
    );
  });

  it('name old data and the assets that end first, in the report and in the summary', () => {
    const Data = { ...DESK_RESULT.Data, Behind: { Days: 9, Assets: ['WXYZ'] } };
    const sentence =
      'All prices are 9 days old: the data of WXYZ end at 2025-12-31, 24:00 UTC. Import newer prices, or name the day with --as-of.';
    const old = { ...DESK_RESULT, Data };
    expect(pageOf(old)).toContain(`<p class="synthetic">${sentence}</p></header>`);
    expect(summaryText(old)).toContain(`\n${sentence}\n`);
    expect(pageOf(DESK_RESULT)).not.toContain('days old');
    expect(summaryText(DESK_RESULT)).not.toContain('days old');
  });

  it('are followed by what the tape says twice and differently, in the report and in the summary', () => {
    const Tape = { ...DESK_RESULT.Tape, Remarks: ['Names differ.'] };
    expect(pageOf({ ...DESK_RESULT, Tape })).toContain('<li>Names differ.</li>');
    expect(summaryText({ ...DESK_RESULT, Tape })).toContain('\nNames differ.\n');
  });

  it('are in the summary, with limits and left-out loans', () => {
    const text = summaryText({ ...DESK_RESULT, Limits: LIMITS });
    expect(text).toContain('\nbreached  loan LTV <= 0.7  (80.0 %, b)\n');
    expect(text).toContain('\nThe last close of WXYZ is from an earlier day.\n');
    expect(text).toContain('\nColumns of the tape that are not used: Desk.\n');
    expect(text).toContain(
      '\n1 loan left out (--skip-faulty):\n  line 5, loan d, maturity: "soon" is not a date\n',
    );
  });
});

describe('A verdict', () => {
  const verdict = (Exceedances: number, KupiecP: number, Z2P: number | null) =>
    verdictsOf({ Levels: { '0.99': { Exceedances, Expected: 2.5, KupiecP, Z2P } } });

  it('objects to a level that is exceeded too often, and to losses beyond it that are too large', () => {
    expect(verdict(9, 0.001, 0.5)).toEqual([
      { isObjection: true, text: '9 days beyond 99 % where 2.5 are promised: too low' },
    ]);
    expect(verdict(3, 0.7, 0.01)).toEqual([
      { isObjection: true, text: '3 days beyond 99 % where 2.5 are promised, and deeper than it says' },
    ]);
  });

  it('objects below a p-value of 5 %, not at it', () => {
    const textOf = (...tests: Parameters<typeof verdict>) => verdict(...tests)[0].text.split('promised')[1];
    expect(textOf(9, 0.0499, null)).toBe(': too low');
    expect(textOf(9, 0.05, null)).toBe(': no objection');
    expect(textOf(1, 0.0499, null)).toBe(': cautious');
    expect(textOf(9, 0.5, 0.0499)).toBe(', and deeper than it says');
    expect(textOf(9, 0.5, 0.05)).toBe(': no objection');
    // As many as promised are not too many.
    const level = { Exceedances: 2, Expected: 2, KupiecP: 0.01, Z2P: null };
    expect(verdictsOf({ Levels: { '0.95': level } })[0].text).toMatch(/: cautious$/);
  });

  it('on several levels names the outermost last', () => {
    const level = { Exceedances: 2, Expected: 2.5, KupiecP: 0.7, Z2P: null };
    const Levels = { '0.999': level, '0.9': level, '0.99': level };
    expect(verdictsOf({ Levels }).map(({ text }) => text.slice(0, 20))).toEqual([
      '2 days beyond 90 % w',
      '2 days beyond 99 % w',
      '2 days beyond 99.9 %',
    ]);
  });

  it('objects to nothing else', () => {
    expect(verdict(1, 0.3, null)).toEqual([
      { isObjection: false, text: '1 day beyond 99 % where 2.5 are promised: no objection' },
    ]);
    expect(verdict(0, 0.02, 0.9)).toEqual([
      { isObjection: false, text: '0 days beyond 99 % where 2.5 are promised: cautious' },
    ]);
  });
});

describe('A number in words', () => {
  it('has the digits that a sentence needs', () => {
    expect([0, 0.5, 79.48, 412_345, 1_000_000, 12_340_000, 1.2e9, 4e13, 2.345e15].map(roughUsd)).toEqual([
      '0',
      '0.50',
      '79',
      '412,000',
      '1 million',
      '12.3 million',
      '1.2 billion',
      '40 trillion',
      '2,350 trillion',
    ]);
    expect([0, 0.0049, 0.0451, 0.29, 0.3229].map(fallText)).toEqual([
      '0.0 %',
      '0.4 %',
      '4.5 %',
      '29 %',
      '32 %',
    ]);
    expect([0, 18.864, 570.4, 51_386.13, 2_427_359.5, -1234].map(simulatedUsd)).toEqual([
      '0',
      '18.86',
      '570',
      '51,400',
      '2,430,000',
      '-1,230',
    ]);
    expect([0, 0.0261, 0.94, 1, 26.53, 1234.5].map(meanCount)).toEqual([
      '0',
      '0.026',
      '0.94',
      '1.0',
      '26.5',
      '1,234.5',
    ]);
    expect([0, 1.234, 99.9, 1234.5].map(usd)).toEqual(['0', '1.23', '99.90', '1,235']);
    expect([0, 0.0001, 0.004, 0.33].map(chance)).toEqual(['0 %', '0.01 %', '0.4 %', '33 %']);
    expect([0.000004, 0.0015, 0.00149, 0.001501, 0.00999, 0.012].map(chance)).toEqual([
      'below 0.001 %',
      '0.15 %',
      '0.15 %',
      '0.16 %',
      '1.0 %',
      '1.2 %',
    ]);
    for (let share = 1e-5; share < 0.01; share *= 1.037)
      expect(Number(chance(share).replace(' %', '')) / 100, String(share)).toBeGreaterThanOrEqual(
        share * (1 - 1e-9),
      );
    expect([0.0015, 0.043].map(shareText)).toEqual(['0.15 %', '4.3 %']);
    expect([65_093.6, 12.345, 0.0000039214].map(price)).toEqual(['65,094', '12.35', '0.00000392']);
  });
});

describe('The section on credit figures', () => {
  const credit = {
    PD: 0.4,
    EAD: 101_000,
    LGD: 0.0123,
    EL: 497,
    PDHorizon: 0.4,
    EADHorizon: 101_000,
    LGDHorizon: 0.0123,
    ELHorizon: 497,
    PrLoss: 0.02,
    LossGivenLossPct: 24.6,
    Stage: 2,
    Reason: 'days past due',
    StageUncertain: true,
    ECL: 497,
    Error: 12,
  } as const;
  const stage = { Loans: 1, LoanValue: 100_000, EL: 497, ELHorizon: 480, ECL: 497 };
  const Credit = {
    Stages: { '1': stage, '2': stage, '3': stage },
    ECL: 1491,
    CECL: 1500,
    CollateralShortfall: 0,
  };
  const headline = DESK_RESULT.Run.Headline;
  const model = DESK_RESULT.Models[headline];
  const row = { Opening: 5, Moved: 1, Repaid: -2, New: 3, Prices: 4, Window: 0, Terms: 0, Closing: 11 };
  const result: DeskResult = {
    ...DESK_RESULT,
    Run: { ...DESK_RESULT.Run, Credit: { effective_rate: 0.12, event: 'sale' } },
    Models: { ...DESK_RESULT.Models, [headline]: { ...model, Book: { ...model.Book, Credit } } },
    Loans: DESK_RESULT.Loans.map(line => ({ ...line, Figures: { ...line.Figures, Credit: credit } })),
    Compared: {
      ...COMPARED,
      Allowance: { Stages: { '1': row, '2': row, '3': row }, Moves: [{ Id: 'a', From: 1, To: 2 }] },
    },
  };

  it('states the allowance by stage, its loans, the words that an auditor needs, and the movement', () => {
    const [, part] = pageOf(result).split('<section id="credit">');
    const text = part
      .split('</section>')[0]
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ');
    expect(text).toContain('The allowance for expected credit losses is 1,491 USD');
    expect(text).toContain('Losses are discounted at an effective rate of 12.0 % a year.');
    expect(text).toContain('2 (uncertain) days past due 40 % 101,000 1.23 % 497 12');
    expect(text).toContain('A default is a liquidation, a closeout after an unanswered call');
    expect(text).toContain('Opening 5.00 5.00 5.00 15.00');
    expect(text).toContain('Repaid or gone -2.00 -2.00 -2.00 -6.00');
    expect(text).toContain('1 loan moved: a (1 to 2).');
    expect(sectionsOf(page)).not.toContain('credit');
  });

  it('is a file with a row for each loan, and the sums of the stages below', () => {
    const lines = creditCsv(result).split('\r\n');
    const names = lines[0].split(',');
    const first = Object.fromEntries(lines[1].split(',').map((cell, i) => [names[i], cell]));
    expect(first).toMatchObject({
      stage: '2',
      stage_uncertain: 'yes',
      ecl_usd: '497',
      ecl_standard_error_usd: '12',
      effective_rate: '0.12',
      seed: String(DESK_RESULT.Run.Seed),
    });
    expect(lines.slice(DESK_RESULT.Loans.length + 2, -1)).toEqual([
      'stage,loans,loan_usd,el_usd,el_horizon_usd,ecl_usd',
      ...['1', '2', '3'].map(name => `${name},1,100000,497,480,497`),
      `all,${DESK_RESULT.Loans.length},,1500,,1491`,
      'collateral shortfall,,,,,0',
    ]);
  });
});
