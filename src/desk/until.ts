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
  ltv: { figure: 'Ltv', unit: 'share', words: bound => `its LTV is ${bound}` },
  called: { figure: 'CalledUsd', unit: 'USD', words: bound => `loans of ${bound} are in margin call` },
  liquidated: { figure: 'LiquidatedUsd', unit: 'USD', words: bound => `loans of ${bound} are liquidated` },
} as const satisfies Readonly<Record<string, UntilRule>>;
type UntilWord = keyof typeof UNTIL_WORDS;

export interface Until {
  /** As it was written. */
  readonly text: string;
  readonly word: UntilWord;
  /** USD, or a share. */
  readonly bound: number;
  readonly level?: number;
}

const FORM =
  /^(?<word>[a-z]+)(?:\s+(?<level>0?\.\d+))?\s+\$?(?<number>[\d.]+(?:e\d+)?)\s*(?<scale>k|m|bn|%)?$/i;
const SCALES: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, bn: 1e9, '%': 0.01 };

/** The bound of a line, or what is wrong with it. */
export function readUntil(text: string): Until | { readonly message: string } {
  const parts = FORM.exec(text.trim())?.groups;
  const word = parts?.word.toLowerCase() as UntilWord | undefined;
  if (parts === undefined || word === undefined || !Object.hasOwn(UNTIL_WORDS, word))
    return {
      message: `It is written "loss 5m", "losscvar 0.99 20m" or "ltv 80%"; figures are ${Object.keys(UNTIL_WORDS).join(', ')}.`,
    };
  const rule: UntilRule = UNTIL_WORDS[word];
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
  return { text: text.trim(), word, bound, ...(level !== undefined && { level }) };
}

const nameOf = ({ text }: Until): string => `until ${text}`;

/** A bound as a scenario. @param along exponents of the fall by asset */
export const untilScenario = (until: Until, along: Readonly<Record<string, number>>) => ({
  name: nameOf(until),
  reverse: {
    figure: UNTIL_WORDS[until.word].figure,
    bound: until.bound,
    ...(until.level !== undefined && { quantile: until.level }),
    along,
  },
});

/** The move that was found; null where no fall reaches the bound. */
export interface FoundFall {
  readonly Fall: number | null;
  readonly Crossings: number;
  readonly Low: number | null;
  readonly High: number | null;
}

/** A sentence on the answer: `All prices must fall by 41.3 % before the book loses 5 million USD on average.` */
export function untilSentence(until: Until, { Fall, Crossings, Low, High }: FoundFall): string {
  const { words, unit }: UntilRule = UNTIL_WORDS[until.word];
  const bound =
    unit === 'share' ? `${Number((100 * until.bound).toPrecision(6))} %` : `${roughUsd(until.bound)} USD`;
  const reached = words(bound, levelText(until.level ?? 0));
  if (Fall === null) return `No fall of all prices up to 95 % is such that ${reached}.`;
  if (Fall === 0) return `Without any fall it is so already that ${reached}, or more.`;
  const between = Low === null || High === null ? '' : ` (${percent(Low)} to ${percent(High)} by sampling)`;
  const beyond =
    Crossings > 1 ? ' It is not monotone: there are larger falls at which it is less again.' : '';
  return `All prices must fall by ${percent(Fall)}${between} before ${reached}.${beyond}`;
}
