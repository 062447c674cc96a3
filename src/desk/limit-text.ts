/** The values of a judged limit in the unit of its figure. */
import { LIMIT_SUBJECTS, type LimitSubject, withoutName } from './limits.ts';
import type { JudgedLimit } from './result.ts';
import { counted, grouped, levelText, listed, meanCount, roughUsd, shareText, usd } from './words.ts';

type Named = Pick<JudgedLimit, 'Limit'>;

export function ruleOf({ Limit }: Named) {
  const text = withoutName(Limit.replace(/\s+/g, ' ')).plain.toLowerCase();
  const subject = Object.keys(LIMIT_SUBJECTS).find(name => text.startsWith(name.toLowerCase()));
  return LIMIT_SUBJECTS[subject as LimitSubject];
}

const isOfVolume = ({ Limit }: Named) => /daily\s+volume/i.test(Limit);

/** The figure of a limit in words, with its unit. */
export const limitWords = (limit: Named): string =>
  isOfVolume(limit)
    ? 'sold within 24 hours, share of the median daily volume of the asset'
    : ruleOf(limit).words;

/** Figures that are numbers of loans; a mean of them has a fraction. */
const COUNTS: readonly string[] = (['MarginCalls', 'ForcedSales', 'called loans'] as const).map(
  name => LIMIT_SUBJECTS[name].words,
);

/** `87.7 %`, `2,427,359`, `26.5`. */
export function valueText(limit: Named, value: number): string {
  if (ruleOf(limit).isShare || isOfVolume(limit)) return shareText(value);
  if (Number.isInteger(value)) return grouped(value, 0);
  return COUNTS.includes(ruleOf(limit).words) ? meanCount(value) : usd(value);
}

/** A limit in words: `scenario loss at most 5 million USD`. */
export function limitInWords(limit: Pick<JudgedLimit, 'Limit' | 'Bound'>): string {
  const [figure] = limit.Limit.split(/\s*(?:[<>]=|[≤≥])/, 1);
  if (ruleOf(limit) === LIMIT_SUBJECTS.reverse)
    return `fall of prices before ${figure.replace(/^reverse\s+/i, '')} at least ${valueText(limit, limit.Bound)}`;
  const at = figure.replace(/ (0?\.\d+)/, (_, level) => ` at ${levelText(Number(level))}`);
  const isUsd = !ruleOf(limit).isShare && !isOfVolume(limit) && !COUNTS.includes(ruleOf(limit).words);
  const bound = isUsd ? `${roughUsd(limit.Bound)} USD` : valueText(limit, limit.Bound);
  return `${at} at most ${bound}${isOfVolume(limit) ? ' of daily volume' : ''}`;
}

const MAX_NAMES = 8;

/** The reason for which a value, or one of its values, is not known; empty where all are. */
export function whyUnknown({ Limit, Status, Unknown }: JudgedLimit): string {
  const rule = ruleOf({ Limit });
  const isOfScenarios = rule === LIMIT_SUBJECTS['scenario loss'] || rule === LIMIT_SUBJECTS.reverse;
  const isOfTranche = 'needs' in rule && rule.needs === 'tranche';
  if (Unknown.length > 0)
    return `${isOfScenarios ? 'all loans end before the window does' : 'no volume in the store'}: ${listed(Unknown, MAX_NAMES)}`;
  if (Status !== 'unknown') return '';
  if (isOfTranche) return 'no attachment point reaches its target';
  return isOfScenarios ? 'no scenarios were computed' : 'no value';
}

/** Part of the bound that is used, a fraction; undefined without a value or a bound. */
export function usedShare(limit: Pick<JudgedLimit, 'Limit' | 'Value' | 'Bound'>): number | undefined {
  const { Value, Bound } = limit;
  const [part, whole] = 'isLeast' in ruleOf(limit) ? [Bound, Value] : [Value, Bound];
  return part === null || whole === null || whole === 0 ? undefined : part / whole;
}

/** How far the sampling error leaves the judgement open; empty where it does not. */
export function errorText({ Limit, Value, WithinError, Sampling }: JudgedLimit): string {
  if (WithinError) return 'within the error of the limit';
  if (Sampling === 'unknown') return 'sampling error unknown';
  const isReplayed = ruleOf({ Limit }) === LIMIT_SUBJECTS['scenario loss'] && Value !== null;
  return Sampling === 'none' && isReplayed ? 'no sampling error' : '';
}

/** `18,000 to 22,500`, `at most 12.0 %`; empty where no end is known. */
export function intervalText(limit: JudgedLimit): string {
  const [low, high] = [limit.Interval?.low ?? null, limit.Interval?.high ?? null].map(end =>
    end === null ? undefined : valueText(limit, end),
  );
  if (low !== undefined && high !== undefined) return `${low} to ${high}`;
  if (high !== undefined) return `at most ${high}`;
  return low === undefined ? '' : `at least ${low}`;
}

/** The limits that are breached, and those that cannot be judged, for the first page; empty without any. */
export function limitsSentence(limits: readonly JudgedLimit[] | null): string {
  const all = limits ?? [];
  const breached = all.filter(({ Status }) => Status === 'breached').map(limitInWords);
  const unknown = all.filter(({ Status }) => Status === 'unknown');
  const sentences = [
    ...(breached.length === 0
      ? []
      : [
          `${breached.length} of ${counted(all.length, 'limit')} ${breached.length === 1 ? 'is' : 'are'} breached: ${listed(breached, MAX_NAMES)}.`,
        ]),
    ...(unknown.length === 0
      ? []
      : [
          `${unknown.length} of ${counted(all.length, 'limit')} cannot be judged: ${listed(
            unknown.map(each => `${limitInWords(each)} (${whyUnknown(each)})`),
            MAX_NAMES,
          )}.`,
        ]),
  ];
  return sentences.join(' ');
}
