/**
 * Bounds of a book as lines of text, `loss 5m`: how far prices must fall until a figure reaches one (docs/stress.md, "Backwards").
 *
 * Gives: the scenarios of a request, and sentences on their answers. Must not know: how they are answered.
 */
import { levelText, percent, roughUsd } from './words.ts';

interface UntilRule {
  /** Figure of `reverse`. */
  readonly figure: string;
  readonly unit: 'USD' | 'share';
  readonly hasLevel?: true;
  /** It follows from prices alone, without sampling. */
  readonly atOnce?: true;
  /** What the bound is multiplied by in a request. Default: 1. */
  readonly scale?: number;
  /** After `before`. @param bound as a text */
  readonly words: (bound: string, level: string) => string;
}

/** What a bound can be set for, by its word in a line. */
export const UNTIL_WORDS = {
  loss: { figure: 'ExpectedLoss', unit: 'USD', words: bound => `the book loses ${bound} on average` },
  lossvar: {
    figure: 'LossVar',
    unit: 'USD',
    hasLevel: true,
    words: (bound, level) => `the loss at ${level} is ${bound}`,
  },
  losscvar: {
    figure: 'LossCVar',
    unit: 'USD',
    hasLevel: true,
    words: (bound, level) => `the mean loss beyond ${level} is ${bound}`,
  },
  prloss: { figure: 'PrLoss', unit: 'share', words: bound => `the chance of any loss is ${bound}` },
  unsold: {
    figure: 'UnsoldExpectedLoss',
    unit: 'USD',
    words: bound => `the book loses ${bound} on average if nothing is sold`,
  },
  peakday: { figure: 'PeakDay', unit: 'USD', words: bound => `${bound} are sold within 24 hours on average` },
  ltv: { figure: 'Ltv', unit: 'share', atOnce: true, words: bound => `its LTV is ${bound}` },
  called: {
    figure: 'CalledUsd',
    unit: 'USD',
    atOnce: true,
    words: bound => `loans of ${bound} are in margin call`,
  },
  liquidated: {
    figure: 'LiquidatedUsd',
    unit: 'USD',
    atOnce: true,
    words: bound => `loans of ${bound} are liquidated`,
  },
} as const satisfies Readonly<Record<string, UntilRule>>;
type UntilWord = keyof typeof UNTIL_WORDS;

/** The same of a tranche, by its word. */
const TRANCHE_WORDS: Readonly<Record<string, UntilRule>> = {
  loss: {
    figure: 'ExpectedLossPct',
    unit: 'share',
    scale: 100,
    words: bound => `loses ${bound} of its size on average`,
  },
  prloss: { figure: 'PrLoss', unit: 'share', words: bound => `has a chance of a loss of ${bound}` },
};

export interface Until {
  /** As it was written. */
  readonly text: string;
  readonly word: UntilWord;
  /** USD, or a share. */
  readonly bound: number;
  readonly level?: number;
  readonly tranche?: string;
  /** Symbols that fall alone; all prices without them. */
  readonly assets?: readonly string[];
}

const ruleOf = ({ word, tranche }: Pick<Until, 'word' | 'tranche'>): UntilRule =>
  tranche === undefined ? UNTIL_WORDS[word] : TRANCHE_WORDS[word];

const FORM = /^(?:(?<level>0?\.\d+)\s+)?\$?(?<number>[\d.]+(?:e\d+)?)\s*(?<scale>k|m|bn|%)?$/i;
const SCALES: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, bn: 1e9, '%': 0.01 };
/** Of a bound: its scenario has four words before it, and 64 letters at most. */
const MAX_TEXT = 58;

const unknownForm = (words: readonly string[]) => ({
  message: `It is written "loss 5m", "losscvar 0.99 20m", "ltv 80% along BTC" or "tranche senior loss 1%"; figures are ${words.join(', ')}.`,
});

/** The bound of a line, or what is wrong with it. */
export function readUntil(text: string): Until | { readonly message: string } {
  const all = text.trim().split(/\s+/);
  const along = all.findIndex(each => each.toLowerCase() === 'along');
  const words = along === -1 ? all : all.slice(0, along);
  const isOfTranche = words[0]?.toLowerCase() === 'tranche';
  const figures = Object.keys(isOfTranche ? TRANCHE_WORDS : UNTIL_WORDS);
  // The name of a tranche may be such a word.
  const at = isOfTranche ? words.findLastIndex(each => figures.includes(each.toLowerCase())) : 0;
  const word = words[at]?.toLowerCase() as UntilWord;
  const parts = FORM.exec(words.slice(at + 1).join(' '))?.groups;
  const tranche = isOfTranche ? words.slice(1, at).join(' ') : undefined;
  const assets = all
    .slice(words.length + 1)
    .flatMap(each => each.toUpperCase().split(','))
    .filter(each => each !== '');
  if (
    parts === undefined ||
    !figures.includes(word) ||
    tranche === '' ||
    (along !== -1 && assets.length === 0)
  )
    return unknownForm(figures);
  if (text.trim().length > MAX_TEXT) return { message: `It must have at most ${MAX_TEXT} characters.` };
  const rule = ruleOf({ word, ...(tranche !== undefined && { tranche }) });
  const { scale = '' } = parts;
  const level = parts.level === undefined ? undefined : Number(parts.level);
  if ((level === undefined) === (rule.hasLevel === true))
    return { message: rule.hasLevel ? `${word} needs a level: ${word} 0.99 5m.` : `${word} has no level.` };
  if (scale !== '' && (scale === '%') === (rule.unit === 'USD'))
    return {
      message: rule.unit === 'USD' ? `${word} is in USD: ${word} 5m.` : `${word} is a share: ${word} 80%.`,
    };
  const bound = Number(parts.number) * (SCALES[scale.toLowerCase()] ?? 1);
  if (!(bound > 0)) return { message: 'The bound must be above 0.' };
  return {
    text: text.trim(),
    word,
    bound,
    ...(level !== undefined && { level }),
    ...(tranche !== undefined && { tranche }),
    ...(assets.length > 0 && { assets }),
  };
}

/** Whether the fall has no sampling error. */
export const isExactUntil = (until: Pick<Until, 'word' | 'tranche'>): boolean =>
  ruleOf(until).atOnce === true;

/** What a run must compute for a bound, and does not. */
export function untilFault(
  { level, tranche }: Until,
  { levels, tranches }: { readonly levels: readonly number[]; readonly tranches: readonly string[] },
): string | undefined {
  if (level !== undefined && !levels.includes(level))
    return `the level ${level} is not computed; name it in --levels, which are ${levels.join(', ')}`;
  if (tranche !== undefined && !tranches.includes(tranche))
    return `there is no tranche ${tranche} with an attachment point; name it in --tranches${tranches.length === 0 ? '' : `, which has ${tranches.join(', ')}`}`;
  return undefined;
}

export const untilName = ({ text }: Pick<Until, 'text'>): string => `until ${text}`;

/** A bound as a scenario. @param along exponents of a fall of all prices by asset */
export function untilScenario(until: Until, along: Readonly<Record<string, number>>) {
  const { figure, scale = 1 } = ruleOf(until);
  return {
    name: untilName(until),
    reverse: {
      figure,
      bound: until.bound * scale,
      ...(until.level !== undefined && { quantile: until.level }),
      ...(until.tranche !== undefined && { tranche: until.tranche }),
      along: until.assets === undefined ? along : Object.fromEntries(until.assets.map(asset => [asset, 1])),
    },
  };
}

/** The move that was found; null where no fall reaches the bound. */
export interface FoundFall {
  readonly Fall: number | null;
  readonly Crossings: number;
  readonly Low: number | null;
  readonly High: number | null;
}

/** The largest fall that is looked at. */
export const LARGEST_FALL = 0.95;

/** `the book loses 5 million USD on average`. */
export function reachedWords(until: Until): string {
  const { words, unit } = ruleOf(until);
  const bound =
    unit === 'share' ? `${Number((100 * until.bound).toPrecision(6))} %` : `${roughUsd(until.bound)} USD`;
  const reached = words(bound, levelText(until.level ?? 0));
  return until.tranche === undefined ? reached : `the tranche ${until.tranche} ${reached}`;
}

/** `All prices`, `BTC and WBTC`. */
export const fallingWords = ({ assets }: Pick<Until, 'assets'>): string =>
  assets === undefined ? 'All prices' : assets.join(' and ');

/** A sentence on the answer: `All prices must fall by 41.3 % before the book loses 5 million USD on average.` */
export function untilSentence(until: Until, { Fall, Crossings, Low, High }: FoundFall): string {
  const reached = reachedWords(until);
  if (Fall === null)
    return `No fall of ${until.assets === undefined ? 'all prices' : fallingWords(until)} up to ${percent(LARGEST_FALL, 0)} is such that ${reached}.`;
  if (Fall === 0) return `Without any fall it is so already that ${reached}, or more.`;
  const between = Low === null || High === null ? '' : ` (${percent(Low)} to ${percent(High)} by sampling)`;
  const beyond =
    Crossings > 1 ? ' It is not monotone: there are larger falls at which it is less again.' : '';
  return `${fallingWords(until)} must fall by ${percent(Fall)}${between} before ${reached}.${beyond}`;
}
