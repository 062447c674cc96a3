/**
 * An answer about one loan in sentences.
 *
 * Takes: the members of an answer. Gives: text. Must not know: the page.
 */
import { price, roughUsd } from '#src/desk/words.ts';
import { type CoverageUnit, coverageLabel } from '../ui/coverage.ts';
import { figureName, figureWords } from '../ui/figure-names.ts';
import { outOfMany, percent, plain } from '../ui/format.ts';

type Members = Readonly<Record<string, unknown>>;

/** A price at which something happens to a loan, as `Model.levels` has it. */
interface Level {
  readonly price: number | null;
  readonly rise?: boolean;
}

type Levels = Readonly<
  Record<string, { readonly price: number | null; readonly margin_call: Level; readonly liquidation: Level }>
>;

const days = (value: unknown) => `${plain(Number(value))} ${Number(value) === 1 ? 'day' : 'days'}`;

/** `In 32 of 100 scenarios the loan is called within 30 days; in 12 of 100 its collateral is sold by force.` */
export function loanSentences(output: Members, terms: Members, model: Members = {}): string[] {
  const [called, liquidated, closed] = ['PrMarginCall', 'PrLiquidation', 'PrCloseout'].map(name =>
    Number(output[name]),
  );
  const hasNoCall = terms.M !== undefined && terms.M === terms.L;
  const term = days(terms.loan_duration);
  return [
    hasNoCall
      ? `${happensWords(liquidated, 'liquidated', term)}.`
      : `${happensWords(called, 'called', term)}; ${soldWords(liquidated + closed)}.`,
    ...levelSentences(model.levels as Levels | undefined, hasNoCall),
    ...lossSentences(output, terms),
  ];
}

function happensWords(share: number, word: string, term: string): string {
  if (share >= 1) return `The loan is ${word} in every scenario within ${term}`;
  if (share === 0) return `In no scenario is the loan ${word} within ${term}`;
  return `In ${outOfMany(share)} scenarios the loan is ${word} within ${term}`;
}

function soldWords(sold: number): string {
  if (sold <= 0) return 'its collateral is never sold by force';
  if (sold >= 1) return 'its collateral is sold by force in all of them';
  return `in ${outOfMany(sold)} its collateral is sold by force`;
}

/** The prices at which a loan is called and liquidated; that of the asset that has to move least is first. */
function levelSentences(levels: Levels = {}, hasNoCall = false): string[] {
  const told = Object.entries(levels).flatMap(([asset, { price: now, margin_call, liquidation }]) =>
    now === null || margin_call.price === null
      ? []
      : [{ asset, now, call: margin_call.price, end: liquidation.price, rises: margin_call.rise === true }],
  );
  if (told.length === 0) return [];
  const sentences = told
    .sort((a, b) => moveTo(a) - moveTo(b))
    .map(({ asset, now, call, end, rises }) =>
      hasNoCall
        ? `${asset}, now at ${price(now)} USD, liquidates the loan at ${levelWords(call, now, rises)}.`
        : `${asset}, now at ${price(now)} USD, calls the loan at ${levelWords(call, now, rises)}${end === null ? '' : ` and liquidates it at ${levelWords(end, now, rises)}`}.`,
    );
  return told.length === 1 ? sentences : ['Where one price moves alone:', ...sentences];
}

/** The move of a price to the call, as a share of it; below 0 where it is passed. */
const moveTo = ({
  call,
  now,
  rises,
}: {
  readonly call: number;
  readonly now: number;
  readonly rises: boolean;
}) => (rises ? call / now - 1 : 1 - call / now);

const levelWords = (level: number, now: number, rises: boolean) => {
  const isPassed = rises ? level <= now : level >= now;
  if (isPassed) return `${price(level)}, which is passed`;
  return `${price(level)} (${rises ? '+' : ''}${percent(level / now - 1)})`;
};

function lossSentences(output: Members, terms: Members): string[] {
  const under = Number(output.PrUnderwater);
  const size = Number(terms.loan_value);
  if (!(under > 0)) return ['In no scenario is the debt ever above the collateral.'];
  const loss = (Number(output.AvgLossPct) / 100) * size;
  return [
    `The debt is above the collateral at some time in ${outOfMany(under)} scenarios. If nothing were sold, the mean shortfall at the end would be ${roughUsd(loss)} USD of ${roughUsd(size)}.`,
  ];
}

/** Share of closeouts from which a chance of liquidation is no measure of what may be lent. */
const MOSTLY_CLOSED_OUT = 0.5;

/** The start of a loan that brings a figure to its target. */
export function originationSentences(output: Members, terms: Members, unit: CoverageUnit): string[] {
  const search = (terms.opt_param ?? {}) as Members;
  const ratio = Number(output.N);
  const [target, tolerance] = [Number(search.score_target), Number(search.error_tolerance)];
  const name = String(search.score_variable);
  const criterion =
    figureName(name).unit === 'coverage'
      ? `the lowest coverage of any scenario is then ${coverageLabel(target, unit)}, within ${plain(tolerance)} of coverage`
      : `${figureWords(name)} is then ${percent(target, 2)}, within ${percent(tolerance, 3)}`;
  const size = Number(terms.loan_value);
  const closedOut = Number(output.PrCloseout);
  const others = Object.keys((output.Candidates ?? {}) as object)
    .map(Number)
    .filter(other => other !== ratio);
  const roots =
    others.length === 0
      ? []
      : [
          `The same holds at an LTV of ${others.map(other => percent(1 / other)).join(', ')}, where other loans are sold by a closeout; the answer is the lowest LTV.`,
        ];
  if (name === 'PrLiquidation' && closedOut > MOSTLY_CLOSED_OUT)
    return [
      `No amount to lend: at an LTV of ${percent(1 / ratio)} ${criterion}, because ${percent(closedOut)} of loans are closed out before. Ask for forced sales, which count both.`,
      ...roots,
    ];
  return [
    `Lend up to ${percent(1 / ratio)} of the value of the collateral: ${criterion}.`,
    `${roughUsd(size)} USD need collateral of ${roughUsd(size * ratio)} USD; the margin call is at an LTV of ${percent(1 / Number(output.M))}.`,
    ...roots,
  ];
}

/** A loan whose collateral sells no faster than its market trades. */
export function cappedSentences(output: Members, terms: Members): string[] {
  const size = Number(terms.loan_value);
  const daily = Number(output['Maximum Market Daily Liquidation']);
  const sold = Number(output.AvgLiquidation);
  const sale =
    sold > 0
      ? ` Where collateral is sold, it is ${roughUsd(sold)} USD on average: what the market takes in ${plain(sold / daily, 2)} days.`
      : '';
  const under = Number(output.PrUnderwater);
  return [
    ...loanSentences(output, terms).slice(0, 1),
    `The market takes ${roughUsd(daily)} USD a day at this participation; the loan is ${roughUsd(size)} USD.${sale}`,
    ...(under > 0
      ? [`The debt is above what is left of the collateral at some time in ${outOfMany(under)} scenarios.`]
      : []),
  ];
}
