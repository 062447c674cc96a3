/**
 * The heading of a column of a tape: the words of lenders, their abbreviations, and the unit in it.
 *
 * Must not know: cells, the columns of a tape.
 */
import { simpleName } from '../text/nearest-name.ts';

/** The unit that a heading names. */
export type HeadingUnit = 'percent' | 'basis-points' | 'hours' | 'days';

export interface Heading {
  /** Words in their common form, sorted, each once: `asset collateral` of `Collat Ccy`. */
  readonly phrase: string;
  readonly words: ReadonlySet<string>;
  /** Letters and digits of the heading without its unit. */
  readonly simple: string;
  readonly unit?: HeadingUnit;
  /** Symbol of the currency that the heading names: `USD` of `Princ. Outst. ($)`. */
  readonly currency?: string;
  /** What one unit of its amounts stands for: 1000 of `Outstanding (USD 000s)`. */
  readonly scale?: number;
  /** It says collateral over loan, and not loan over collateral. */
  readonly isRatio: boolean;
}

/** Common forms of words; an empty one is left out. */
const COMMON: Readonly<Record<string, string>> = Object.fromEntries(
  (
    [
      ['collateral', 'collat coll collaterals pledged pledge posted security'],
      ['asset', 'ccy cur currency coin token symbol ticker crypto cryptocurrency'],
      ['amount', 'amt quantity qty units unit size held'],
      ['balance', 'bal'],
      ['value', 'val mv valuation'],
      ['loan', 'facility fac deal contract loans'],
      ['id', 'no nr num number ref reference identifier'],
      ['borrower', 'client customer counterparty cpty obligor debtor'],
      ['principal', 'princ prin'],
      ['outstanding', 'outst outstg os drawn utilised utilized unpaid'],
      ['call', 'called'],
      ['liquidation', 'liq liqu liquidate liquidated'],
      ['origination', 'orig original originated initial opening inception start'],
      ['maturity', 'mat mty matures expiry expiration expires'],
      ['date', 'dt day time'],
      ['interest', 'int'],
      ['accrued', 'accr accrual'],
      ['grace', 'cure'],
      ['issued', 'sent notice made given'],
      ['level', 'threshold trigger'],
      ['ratio', 'cr ccr coverage cover collateralization collateralisation'],
      [
        '',
        'of the in per at on since utc gmt pa p a market current curr today now as total by for and to name final legal contractual stated scheduled',
      ],
    ] as const
  ).flatMap(([word, others]) => others.split(' ').map(each => [each, word])),
);

/** Words that stand for two. */
const PAIRS: Readonly<Record<string, readonly string[]>> = {
  mc: ['margin', 'call'],
  margincall: ['margin', 'call'],
  lltv: ['liquidation', 'ltv'],
  oltv: ['origination', 'ltv'],
};

const UNITS: readonly (readonly [unit: HeadingUnit, words: RegExp])[] = [
  ['percent', /%|(?<![a-z])(?:per[ _-]?cent|pct)(?![a-z])/i],
  ['basis-points', /(?<![a-z])(?:bps?|basis[ _-]?points?)(?![a-z])/i],
  ['hours', /(?<![a-z])(?:hours?|hrs?|h)(?![a-z])/i],
  ['days', /(?<![a-z])(?:days|d)(?![a-z])/i],
];

/** Thousands and millions of a currency. Letters alone may be anything: they stand behind a currency. */
const SCALES: readonly (readonly [scale: number, words: RegExp])[] = [
  [
    1e3,
    /(?<![a-z0-9])['\u2019]?000['\u2019]?s?(?![a-z0-9])|(?<![a-z])(?:in )?(?:thousands?|thd|tsd)(?![a-z])/i,
  ],
  [1e6, /(?<![a-z])(?:in )?(?:millions?|mm|mio|mln)(?![a-z])/i],
  [1e3, /(?<=(?:[$€£]|usd|eur|gbp) ?)k(?![a-z])/i],
  [1e6, /(?<=(?:[$€£]|usd|eur|gbp) ?)m(?:m|n)?(?![a-z])/i],
];

const MARKS: Readonly<Record<string, string>> = { $: 'USD', '€': 'EUR', '£': 'GBP', '¥': 'JPY' };
/** Currencies and coins that a heading names beside an amount. */
const CURRENCY =
  /(?<![a-z])(?:us\s?\$|[$€£¥]|usdc|usdt|usd|dai|eurc|eur|gbp|chf|jpy|sgd|hkd|aud|cad|btc|eth|sol)(?![a-z])/i;

/** The symbol of a mark or a code of a currency; `US$` and `$` are the dollar. */
export const currencyOf = (text: string): string =>
  MARKS[text.replace(/^us\s?(?=\$)/i, '')] ?? text.toUpperCase();

export function readHeading(name: string): Heading {
  // `loanAmount` has two words.
  let text = name
    .replace(/([a-z])([A-Z][a-z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
  text = text.replace(/loan[ -]?to[ -]?value/, 'ltv');
  const found = UNITS.find(([, words]) => words.test(text));
  if (found !== undefined) text = text.replace(found[1], ' ').replace(found[1], ' ');
  const scaled = SCALES.find(([, words]) => words.test(text));
  if (scaled !== undefined) text = text.replace(scaled[1], ' ');
  const mark = CURRENCY.exec(text)?.[0];
  // A heading that is a currency alone names none of an amount.
  const isAlone = mark !== undefined && simpleName(text.replace(mark, '')) === '';
  if (mark !== undefined && !isAlone) text = text.replace(mark, ' ');
  const words = new Set(
    text
      .replaceAll('#', ' id ')
      .replace(/\bo\/s\b/g, ' outstanding ')
      .replace(/[^a-z0-9]+/g, ' ')
      .trim()
      .split(' ')
      .flatMap(word => PAIRS[word] ?? [word])
      .map(word => (Object.hasOwn(COMMON, word) ? COMMON[word] : word))
      .filter(word => word !== ''),
  );
  const isRatio = words.has('ratio') && !words.has('ltv');
  // `LTV ratio` is an LTV.
  words.delete('ratio');
  return {
    phrase: [...words].sort().join(' '),
    words,
    simple: simpleName(text),
    isRatio,
    ...(found !== undefined && { unit: found[0] }),
    ...(scaled !== undefined && { scale: scaled[0] }),
    ...(mark !== undefined && !isAlone && { currency: currencyOf(mark) }),
  };
}

/** How much two headings have in common, 0 to 1: twice their common words over all their words (Dice 1945). */
export function likeness(a: Heading, b: Heading): number {
  const common = [...a.words].filter(word => b.words.has(word)).length;
  return (2 * common) / Math.max(1, a.words.size + b.words.size);
}
