/**
 * Limits of a desk as lines of text: `LossCVar 0.99 <= 250000`, `borrower share <= 10%`.
 *
 * Gives: limits, or every fault with its line. Must not know: results.
 */
import { nearestName } from '../text/nearest-name.ts';
import { attachedNames, type WaterfallSent } from './tranches.ts';
import { readUntil, type Until, untilFault } from './until.ts';

/** A figure of a limit. `isShare`: the bound may be in per cent. `level`: where a level is possible, the default is the mean. */
interface SubjectRule {
  readonly words: string;
  readonly isShare: boolean;
  readonly level: 'none' | 'needed' | 'possible';
  /** The bound is the least value, not the largest. */
  readonly isLeast?: true;
  /** The bound is in per cent, as the figure is. */
  readonly inPercent?: true;
  /** What a run computes it for. Default: any run. */
  readonly needs?: 'capital' | 'credit' | 'tranche';
}

export const LIMIT_SUBJECTS = {
  LossVar: { words: 'loss of the book at a level, USD', isShare: false, level: 'needed' },
  LossCVar: { words: 'mean loss beyond a level, USD', isShare: false, level: 'needed' },
  ExpectedLoss: { words: 'mean loss, USD', isShare: false, level: 'none' },
  PrLoss: { words: 'chance of any loss', isShare: true, level: 'none' },
  MarginCalls: { words: 'loans that are called', isShare: false, level: 'possible' },
  ForcedSales: { words: 'loans that are sold by force', isShare: false, level: 'possible' },
  ForcedSaleUsd: { words: 'sold by force over the term, USD', isShare: false, level: 'possible' },
  PeakDay: { words: 'sold within 24 hours, USD', isShare: false, level: 'possible' },
  'scenario loss': { words: 'loss in the worst scenario, USD', isShare: false, level: 'none' },
  'book LTV': { words: 'LTV of the book today', isShare: true, level: 'none' },
  'loan LTV': { words: 'highest LTV of a loan today', isShare: true, level: 'none' },
  'loan share': { words: 'largest loan, share of all that is lent', isShare: true, level: 'none' },
  'borrower share': { words: 'largest borrower, share of all that is lent', isShare: true, level: 'none' },
  'asset share': { words: 'largest asset, share of the collateral', isShare: true, level: 'none' },
  EconomicCapital: {
    words: 'loss at a level above the expected loss, USD',
    isShare: false,
    level: 'needed',
    needs: 'capital',
  },
  ECL: { words: 'allowance by the stages of IFRS 9, USD', isShare: false, level: 'none', needs: 'credit' },
  'tranche ExpectedLossPct': {
    words: 'mean loss of the tranche, share of its size',
    isShare: true,
    level: 'none',
    inPercent: true,
    needs: 'tranche',
  },
  'tranche PrLoss': {
    words: 'chance of any loss of the tranche',
    isShare: true,
    level: 'none',
    needs: 'tranche',
  },
  'tranche LossCVar': {
    words: 'mean loss of the tranche beyond a level, USD',
    isShare: false,
    level: 'needed',
    needs: 'tranche',
  },
  reverse: { words: 'fall of prices that reaches it', isShare: true, level: 'none', isLeast: true },
  'called loans': { words: 'loans at or beyond their margin call today', isShare: false, level: 'none' },
} as const satisfies Readonly<Record<string, SubjectRule>>;
export type LimitSubject = keyof typeof LIMIT_SUBJECTS;
const NAMES = Object.keys(LIMIT_SUBJECTS) as readonly LimitSubject[];

export interface Limit {
  /** 1-based. */
  readonly line: number;
  /** As it was written. */
  readonly text: string;
  readonly subject: LimitSubject;
  readonly level?: number;
  /** A methodology. Default: the headline's. */
  readonly type?: string;
  readonly bound: number;
  /** The bound is a share of the median daily volume of each asset. */
  readonly ofDailyVolume: boolean;
  /** Name of the tranche. */
  readonly tranche?: string;
  /** What is reached by a fall, of `reverse`. */
  readonly until?: Until;
}

export interface LimitFault {
  readonly line: number;
  readonly message: string;
}

export interface LimitContext {
  readonly levels: readonly number[];
  readonly types: readonly string[];
  /** Whether credit figures are computed, and who bears the losses. */
  readonly credit?: object | undefined;
  readonly waterfall?: WaterfallSent | undefined;
}

const FORM =
  /^(?<subject>[a-z][a-z ]*?)(?:\s+(?<level>0?\.\d+))?(?:\s+under\s+(?<type>\w+))?\s*(?<sign>[<>]=|[≤≥])\s*(?<number>[+-]?[\d.,]+(?:e\d+)?)\s*(?<percent>%)?\s*(?:USD)?\s*(?<volume>of\s+daily\s+volume)?$/i;

const MULTIPLES = { k: 1e3, thousand: 1e3, m: 1e6, million: 1e6, bn: 1e9, billion: 1e9 };

/** Reads the limits; skips empty lines and text after #. */
export function readLimits(
  text: string,
  context: LimitContext,
): { readonly limits: readonly Limit[]; readonly faults: readonly LimitFault[] } {
  const limits: Limit[] = [];
  const faults: LimitFault[] = [];
  text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .forEach((whole, k) => {
      const written = whole.split('#', 1)[0].trim();
      if (written === '') return;
      const read = readLimit(written, k + 1, context);
      if ('message' in read) faults.push(read);
      else limits.push(read);
    });
  if (limits.length + faults.length === 0) faults.push({ line: 1, message: 'there is no limit in the file' });
  return { limits, faults };
}

/** The line with `<` and "at most" as `<=`, a level in per cent as a fraction, and 250k, 2 million and 250,000 as numbers. */
function inFull(text: string): string {
  const [figure, bound = ''] = text.split(/[<≤]=?|\sat most\s/i, 2);
  const level = figure.replace(/(\d[\d.]{0,9})\s?%/, (_, percent) =>
    String(Number((Number(percent) / 100).toFixed(9))),
  );
  const number = bound
    .replace(/^\s*\$/, '')
    .replace(/(?<=\d),(?=\d{3})/g, '')
    .replace(/(\d[\d.]{0,20})\s?(k|thousand|m|million|bn|billion)\b/i, (_, count, unit) =>
      String(Number(count) * MULTIPLES[unit.toLowerCase() as keyof typeof MULTIPLES]),
    );
  return `${level.trim()} <= ${number.trim()}`;
}

/** A name within a limit: of a tranche before its figure, of what a fall reaches before the bound. */
const OF_TRANCHE = /^tranche\s(?<name>.+)\s(?=(?:ExpectedLossPct|PrLoss|LossCVar)[\s<≤])/i;
const OF_REVERSE = /^reverse\s(?<name>[^<>≤≥]+)/i;

/** A limit without the name in it: `tranche PrLoss <= 1%`, `reverse >= 30%`. */
export function withoutName(text: string): { readonly plain: string; readonly name: string | undefined } {
  const form = [OF_TRANCHE, OF_REVERSE].find(each => each.test(text));
  const name = form?.exec(text)?.groups?.name.trim();
  const plain = form === undefined ? text : text.replace(form, form === OF_TRANCHE ? 'tranche ' : 'reverse ');
  return { plain, name };
}

/** What a run must be asked for so that it has a figure. */
const ASKED_BY = {
  capital: '--capital (economic_capital)',
  credit: '--credit (credit)',
  tranche: '--tranches (tranches)',
} as const;

function readLimit(text: string, line: number, context: LimitContext): Limit | LimitFault {
  const { levels, types, credit, waterfall = {} } = context;
  const fault = (message: string): LimitFault => ({ line, message: `${text}: ${message}` });
  const { plain: written, name } = withoutName(text);
  const parts = FORM.exec(written)?.groups;
  if (parts === undefined) {
    const plain = inFull(written);
    return fault(
      FORM.test(plain) && name === undefined
        ? `write ${plain}`
        : 'a limit is written "LossCVar 0.99 <= 250000" or "borrower share <= 10%"',
    );
  }
  const sent = parts.subject.replace(/\s+/g, ' ');
  const subject = NAMES.find(name => name.toLowerCase() === sent.toLowerCase());
  if (subject === undefined) {
    const nearest = nearestName(sent, NAMES);
    return fault(
      `there is no figure ${sent}${nearest === undefined ? `; there are ${NAMES.join(', ')}` : `; is it ${nearest}?`}`,
    );
  }
  const rule: SubjectRule = LIMIT_SUBJECTS[subject];
  if ((parts.sign === '>=' || parts.sign === '≥') !== (rule.isLeast === true))
    return fault(
      rule.isLeast ? `${subject} has a least value: write >=` : `${subject} has a largest value: write <=`,
    );
  if (subject === 'reverse' && name === undefined)
    return fault('it names what a fall reaches: reverse loss 5m >= 30%');
  const until = subject === 'reverse' ? readUntil(name ?? '') : undefined;
  if (until !== undefined && 'message' in until) return fault(until.message);
  const tranches = (waterfall.tranches ?? []).map(each => each.name);
  const unasked = until && untilFault(until, { levels, tranches: attachedNames(waterfall) });
  if (unasked !== undefined) return fault(unasked);
  if (rule.needs === 'tranche' && name === undefined)
    return fault(`it names a tranche: tranche senior ${subject.slice('tranche '.length)} <= 1%`);
  const isComputed = {
    capital: waterfall.economic_capital === true,
    credit: credit !== undefined,
    tranche: tranches.includes(name ?? ''),
  };
  if (rule.needs !== undefined && !isComputed[rule.needs])
    return fault(
      `${rule.needs === 'tranche' ? `the tranche ${name}` : subject} is not computed; ask for it by ${ASKED_BY[rule.needs]}`,
    );
  const level = parts.level === undefined ? undefined : Number(parts.level);
  const ofDailyVolume = parts.volume !== undefined;
  if (level === undefined && rule.level === 'needed')
    return fault(`${subject} needs a level: ${subject} ${levels.at(-1)}`);
  if (level !== undefined && rule.level === 'none') return fault(`${subject} has no level`);
  if (level !== undefined && !levels.includes(level))
    return fault(`the level ${level} is not computed; name it in --levels, which are ${levels.join(', ')}`);
  if (parts.type !== undefined && !types.includes(parts.type.toUpperCase()))
    return fault(`${parts.type} is not computed; name it in --types, which are ${types.join(', ')}`);
  if (ofDailyVolume && subject !== 'PeakDay') return fault('only PeakDay is compared with daily volumes');
  const value = Number(parts.number);
  if (!(value >= 0))
    return fault(
      `the bound must be a number of 0 or more, written without a mark between thousands; got ${parts.number}`,
    );
  const isPercent = parts.percent !== undefined;
  if (isPercent && !rule.isShare && !ofDailyVolume)
    return fault(`${subject} is no share: the bound cannot be in per cent`);
  if (rule.inPercent && !isPercent) return fault(`the bound is in per cent of the tranche: ${value}%?`);
  if (rule.isShare && !isPercent && value > 1.5)
    return fault(`the bound is a share: ${value}% or ${value / 100}?`);
  if (ofDailyVolume && !isPercent && value > 1)
    return fault(`the bound is a share: ${value}% or ${value / 100}?`);
  return {
    line,
    text,
    subject,
    ...(level !== undefined && { level }),
    ...(parts.type !== undefined && { type: parts.type.toUpperCase() }),
    bound: isPercent ? value / 100 : value,
    ofDailyVolume,
    ...(rule.needs === 'tranche' && name !== undefined && { tranche: name }),
    ...(until && { until }),
  };
}
