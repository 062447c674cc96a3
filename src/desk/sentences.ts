/** A result in sentences for a head of risk. */
import { unusedSentences } from '../tape/remarks.ts';
import { deadlinesSentence } from './call-text.ts';
import type { ChangedStatus, LoanChanges } from './comparison.ts';
import { leftOutLoans } from './left-out.ts';
import {
  type DeskResult,
  givenScenarios,
  headlineLevel,
  type Interval,
  type LoanLine,
  type Losses,
  scenarioLoss,
} from './result.ts';
import { capitalSentence, tranchesSentence } from './tranche-sentences.ts';
import { judgedDays, verdictsOf } from './verdict.ts';
import {
  chance,
  counted,
  dayText,
  grouped,
  levelText,
  listed,
  meanCount,
  namedLoans,
  percent,
  roughUsd,
} from './words.ts';

/** Chance of a call above which a loan is counted. */
const LIKELY = 1 / 3;
const MAX_IDS = 30;

/** Periods beyond a level: `one of a hundred`. */
export function outOf(level: number): string {
  const odds = 1 / (1 - level);
  const words: Readonly<Record<number, string>> = {
    10: 'ten',
    20: 'twenty',
    40: 'forty',
    50: 'fifty',
    100: 'a hundred',
    200: 'two hundred',
    1000: 'a thousand',
  };
  const rounded = Math.round(odds);
  return `one of ${words[rounded] ?? rounded}`;
}

/** Says that the data are old; empty if they reach the last whole day or a named day. */
export function ageSentence({ AsOf, Behind }: Pick<DeskResult['Data'], 'AsOf' | 'Behind'>): string {
  if (Behind === null) return '';
  const { Days, Assets } = Behind;
  return `All prices are ${counted(Days, 'day')} old: the data of ${listed(Assets, 5)} end at ${dayText(AsOf)}. Import newer prices, or name the day with --as-of.`;
}

/** `in one of a hundred periods 12 or more`; a value of 0 at the level is also the value of all less extreme periods. */
export const atLevel = (
  value: number,
  level: string,
  none: string,
  words: (value: number) => string,
): string =>
  value === 0
    ? `in ${levelText(Number(level))} of periods ${none}`
    : `in ${outOf(Number(level))} periods ${words(value)}`;

/** Whether every loan is liquidated where it would be called, as on a chain. */
export const hasNoCalls = (loans: readonly Pick<LoanLine, 'MarginCallLtv' | 'LiquidationLtv'>[]): boolean =>
  loans.length > 0 && loans.every(({ MarginCallLtv, LiquidationLtv }) => MarginCallLtv === LiquidationLtv);

/** What a result says, a paragraph each, in the order of a summary; empty where there is nothing to say. */
export function sentencesOf(result: DeskResult) {
  const { Run, Today, Models, Loans, Tape } = result;
  const { Book } = Models[Run.Headline];
  const days = Run.HorizonDays;
  const level = headlineLevel(Run);
  const likely = Loans.filter(
    ({ Status, Figures }) => Status === 'within' && Figures.PrMarginCall > LIKELY,
  ).length;
  const within = Loans.filter(({ Status }) => Status === 'within').length;
  return {
    today: todaySentences(Today, Loans, Tape),
    deadlines: deadlinesSentence(result),
    calls: hasNoCalls(Loans)
      ? ''
      : `${likely} of the ${counted(within, 'loan')} not in margin call today ${likely === 1 ? 'has' : 'have'} more than one chance in three of a call within ${counted(days, 'day')}. On average ${meanCount(Book.MarginCalls.Mean)} loans are called, those in call today included; ${atLevel(Book.MarginCalls.Quantiles[level], level, 'none', value => `${grouped(value, 0)} or more`)}.`,
    loss: lossSentence(Book, result.Accuracy, level, days),
    unsold: unsoldSentence(Book.Unsold, level),
    sales: `On average ${roughUsd(Book.ForcedSaleUsd.Mean)} USD of collateral is sold by force; ${atLevel(Book.PeakDay.Quantiles[level], level, 'nothing is sold', value => `${roughUsd(value)} USD or more is sold within 24 hours`)}.`,
    spread: spread(result, level),
    changes: changeSentences(result, level),
    worst: worstScenario(result),
    until: untilSentences(result),
    tranches: tranchesSentence(Book),
    capital: capitalSentence(Book, level),
    objection: objection(result),
  } as const;
}

/** All of them. */
export const headlines = (result: DeskResult): readonly string[] =>
  Object.values(sentencesOf(result))
    .flat()
    .filter(each => each !== '');

/** Conditions of the figures beside the warnings: failed parts, carried closes, decisions on loans, unused columns. */
export function factsOf({ Missing, Data, Tape }: DeskResult): readonly string[] {
  return [
    ...Missing,
    ...(Data.Carried.length === 0
      ? []
      : [`The last close of ${Data.Carried.join(', ')} is from an earlier day.`]),
    ...Tape.Remarks,
    ...Tape.Notes.map(({ Ids, Sentence }) => `${namedLoans(Ids)} ${Sentence}`),
    ...unusedSentences(Tape.NotUsed),
  ];
}

/** The book at the prices of today, and the loans that are not in it; empty where there is nothing to say. */
export const todaySentences = (
  Today: Pick<DeskResult['Today'], 'LoanUsd' | 'CollateralUsd' | 'Ltv' | 'Called' | 'Liquidated'>,
  loans: readonly Pick<
    LoanLine,
    'Id' | 'LoanUsd' | 'CollateralUsd' | 'Overdue' | 'MarginCallLtv' | 'LiquidationLtv'
  >[],
  tape: Pick<DeskResult['Tape'], 'LeftOut' | 'LeftOutOwed'>,
): readonly string[] => [
  [
    `The book holds ${counted(loans.length, 'loan')} of ${roughUsd(Today.LoanUsd)} USD against collateral of ${roughUsd(Today.CollateralUsd)} USD: an LTV of ${percent(Today.Ltv)}.`,
    withoutSentence(tape),
  ]
    .filter(each => each !== '')
    .join(' '),
  standing(Today, hasNoCalls(loans)),
  overdueSentence(loans),
  uncovered(loans),
];

/** Says that the figures cover only part of the tape; empty if they cover all of it. */
export function withoutSentence(tape: Pick<DeskResult['Tape'], 'LeftOut' | 'LeftOutOwed'>): string {
  const away = leftOutLoans(tape);
  return away.length === 0
    ? ''
    : `${counted(away.length, 'loan')} of the tape${owedWords(tape.LeftOutOwed)} ${away.length === 1 ? 'is' : 'are'} left out for faults and not in any figure or limit: ${listed(away, 5)}.`;
}

/** ` of 1.2 million USD`, with the loans that do not say what they owe. */
export function owedWords({ Usd, Unknown }: DeskResult['Tape']['LeftOutOwed']): string {
  const open = Unknown === 0 ? '' : `the debt of ${counted(Unknown, 'loan')} is not known`;
  if (Usd === 0) return open === '' ? '' : ` (${open})`;
  return ` of ${roughUsd(Usd)} USD${open === '' ? '' : ` (${open})`}`;
}

/** Loans past maturity, which are in every figure. */
function overdueSentence(loans: readonly Pick<LoanLine, 'Id' | 'LoanUsd' | 'Overdue'>[]): string {
  const late = loans.filter(({ Overdue }) => Overdue === true);
  if (late.length === 0) return '';
  const usd = late.reduce((sum, { LoanUsd }) => sum + LoanUsd, 0);
  return `${counted(late.length, 'loan')} of ${roughUsd(usd)} USD ${late.length === 1 ? 'is' : 'are'} past maturity and simulated as due now: ${listed(
    late.map(({ Id }) => Id),
    5,
  )}.`;
}

function standing(
  { Called, Liquidated }: Pick<DeskResult['Today'], 'Called' | 'Liquidated'>,
  withoutCalls: boolean,
): string {
  if (Called + Liquidated === 0)
    return withoutCalls ? 'No loan is beyond the liquidation LTV today.' : 'No loan is in margin call today.';
  const parts = [
    ...(Called > 0 ? [`${counted(Called, 'loan')} ${Called === 1 ? 'is' : 'are'} in margin call`] : []),
    ...(Liquidated > 0
      ? [`${counted(Liquidated, 'loan')} ${Liquidated === 1 ? 'is' : 'are'} beyond the liquidation LTV`]
      : []),
  ];
  return `Today ${parts.join(' and ')}.`;
}

/** What the collateral of today does not cover. */
function uncovered(loans: readonly Pick<LoanLine, 'Id' | 'LoanUsd' | 'CollateralUsd'>[]): string {
  const short = loans.filter(({ LoanUsd, CollateralUsd }) => LoanUsd > CollateralUsd);
  if (short.length === 0) return '';
  const usd = short.reduce((sum, { LoanUsd, CollateralUsd }) => sum + LoanUsd - CollateralUsd, 0);
  const [owe, their] = short.length === 1 ? ['owes', 'its'] : ['owe', 'their'];
  return `${counted(short.length, 'loan')} ${owe} more than ${their} collateral is worth today: ${roughUsd(usd)} USD are not covered (${listed(
    short.map(({ Id }) => Id),
    5,
  )}).`;
}

/**
 * The loss at a level, and beyond it.
 *
 * @param accuracy intervals by `LossVar 0.99`, and of `PrLoss`
 * @param days of a period
 */
export function lossSentence(
  { ExpectedLoss, LossVar, LossCVar, PrLoss }: Losses,
  accuracy: Readonly<Record<string, Interval>>,
  level: string,
  days: number,
): string {
  const at = LossVar[level];
  const often = `In ${outOf(Number(level))} periods of ${counted(days, 'day')}`;
  if (PrLoss === 0) {
    const most = accuracy.PrLoss?.high;
    const sure = most == null ? '' : ` (sampling alone: ${ofPeriods(most)} at most)`;
    return `The book loses nothing in any simulated period of ${counted(days, 'day')}${sure}.`;
  }
  if (at === 0)
    return `The book loses something in ${ofPeriods(PrLoss)}, and so nothing at the level of ${levelText(Number(level))}; the mean of the worst ${levelText(1 - Number(level))} is ${roughUsd(LossCVar[level])} USD.`;
  const sure = (figure: Interval | undefined) =>
    figure?.low == null || figure.high == null
      ? ''
      : ` (sampling alone: ${roughUsd(figure.low)} to ${roughUsd(figure.high)})`;
  return `${often} the book loses more than ${roughUsd(at)} USD${sure(accuracy[`LossVar ${level}`])}; the mean of those losses is ${roughUsd(LossCVar[level])} USD${sure(accuracy[`LossCVar ${level}`])}. The expected loss is ${roughUsd(ExpectedLoss)} USD.`;
}

/** `fewer than 1 of 1,000 of all periods`. */
const ofPeriods = (share: number) => `${chance(share).replace('below', 'fewer than')} of all periods`;

/** The loss if nothing were sold. */
export function unsoldSentence({ LossVar, PrLoss }: Losses, level: string): string {
  if (PrLoss === 0) return 'If no collateral were sold, the book would lose nothing in any simulated period.';
  if (LossVar[level] === 0)
    return `If no collateral were sold, the book would lose something in ${ofPeriods(PrLoss)}.`;
  return `If no collateral were sold, the book would lose more than ${roughUsd(LossVar[level])} USD in ${outOf(Number(level))} periods.`;
}

/** The steps of a comparison in a sentence. */
const STEP_WORDS: Readonly<Record<string, string>> = {
  prices: 'prices',
  'window and fit': 'the window, the fit and the time that has passed',
  composition: 'loans that are new or gone',
  terms: 'the terms of loans',
};

/** What has changed since an earlier result, and the step that changed the tail most. */
function changeSentences({ Compared }: DeskResult, level: string): readonly string[] {
  if (Compared === null) return [];
  const { AsOf, Steps, Status, Changes } = Compared;
  const values = Steps.map(({ Figures }) => Figures.LossCVar);
  const [before, after] = [values[0], values[values.length - 1]];
  const since = `Since ${dayText(AsOf)} the mean loss beyond ${levelText(Number(level))}`;
  const changes = Steps.slice(1).map(({ Step }, k) => ({ Step, change: values[k + 1] - values[k] }));
  const [most] = [...changes].sort((a, b) => Math.abs(b.change) - Math.abs(a.change));
  const tail =
    roughUsd(before) === roughUsd(after)
      ? `${since} is as it was, ${roughUsd(after)} USD.`
      : `${since} has ${after > before ? 'risen' : 'fallen'} from ${roughUsd(before)} to ${roughUsd(after)} USD; most of the change comes from ${STEP_WORDS[most.Step] ?? most.Step} (${most.change > 0 ? '+' : '−'}${roughUsd(Math.abs(most.change))} USD).`;
  return [tail, ...tapeChanges(Changes), ...leftOutSentence(Changes), ...statusSentences(Status)];
}

/** Loans that are new or gone, and changed terms. */
function tapeChanges({ New, Gone, Changed }: LoanChanges): readonly string[] {
  const parts = [
    ...(New.length === 0 ? [] : [`new: ${namedLoans(New)}`]),
    ...(Gone.length === 0 ? [] : [`gone: ${namedLoans(Gone)}`]),
    ...(Changed.length === 0 ? [] : [`changed: ${counted(Changed.length, 'term')}`]),
  ];
  return parts.length === 0 ? [] : [`In the tape since then: ${parts.join('; ')}.`];
}

/** Loans of the earlier book whose risk is in no figure of today. */
const leftOutSentence = ({ LeftOut }: LoanChanges): readonly string[] =>
  LeftOut.length === 0
    ? []
    : [`In the earlier book, and left out today for faults: ${listed(LeftOut, MAX_IDS)}.`];

/** Loans that have come into call, or beyond liquidation, or back. */
export function statusSentences(changes: readonly ChangedStatus[]): readonly string[] {
  const words = {
    called: 'In margin call since then',
    liquidated: 'Beyond liquidation since then',
    within: 'In margin call then, and not now',
  };
  return (['called', 'liquidated', 'within'] as const).flatMap(status => {
    const ids = changes.filter(({ Now }) => Now === status).map(({ Id }) => Id);
    return ids.length === 0 ? [] : [`${words[status]}: ${listed(ids, MAX_IDS)}.`];
  });
}

/** The objections of the back-test to the methodology of the headline. */
function objection({ Backtest, Run: { Headline } }: DeskResult): string {
  const judged = Backtest?.Models[Headline];
  const objections = judged === undefined ? [] : verdictsOf(judged).filter(({ isObjection }) => isObjection);
  if (judged === undefined || objections.length === 0) return '';
  const days = judgedDays(judged);
  return `${days[0].toUpperCase()}${days.slice(1)} the back-test objects to ${Headline} (${objections.map(({ text }) => text).join('; ')}).`;
}

/** The scenario with the largest loss. */
function worstScenario(result: DeskResult): string {
  const given = givenScenarios(result);
  const [worst] = [...given].sort((a, b) => scenarioLoss(b) - scenarioLoss(a));
  if (worst === undefined || scenarioLoss(worst) === 0) return '';
  if (worst.Name === 'base')
    return `No scenario costs more than the book as it is: ${roughUsd(scenarioLoss(worst))} USD.`;
  const scenarios = given.length - 1;
  if (scenarios === 1) return `Under “${worst.Title}” the loss is ${roughUsd(scenarioLoss(worst))} USD.`;
  return `The worst of ${scenarios} scenarios is “${worst.Title}”: a loss of ${roughUsd(scenarioLoss(worst))} USD.`;
}

/** How far prices must fall until a bound is reached. */
export const untilSentences = ({ Stress }: Pick<DeskResult, 'Stress'>): readonly string[] =>
  (Stress?.Scenarios ?? []).flatMap(({ Until }) => Until ?? []);

/** The range of the methodologies. */
function spread({ Models, Run }: DeskResult, level: string): string {
  const values = Run.Types.map(type => [type, Models[type].Book.LossCVar[level]] as const).sort(
    (a, b) => a[1] - b[1],
  );
  if (values.length < 2) return '';
  const [least, most] = [values[0], values[values.length - 1]];
  if (roughUsd(least[1]) === roughUsd(most[1]))
    return `The mean loss beyond ${levelText(Number(level))} is ${roughUsd(most[1])} USD under every methodology.`;
  return `The methodologies differ: the mean loss beyond ${levelText(Number(level))} is ${roughUsd(least[1])} USD under ${least[0]} and ${roughUsd(most[1])} USD under ${most[0]}.`;
}
