/**
 * The answer of /advance_rate in sentences.
 *
 * Takes: the members of an answer. Gives: text. Must not know: the page.
 */
import { outOf } from '#src/desk/sentences.ts';
import { percent, plain } from '../ui/format.ts';

type Members = Readonly<Record<string, unknown>>;
type Levels = Readonly<Record<string, Readonly<Record<string, number | null>>>>;

/** Figures of a length of exposure. */
export interface Rates {
  readonly PrTrigger?: number;
  readonly Confidence?: Levels;
  readonly ExpectedLoss?: Levels;
  readonly AdvanceRate?: Levels;
}

/** The lengths of an answer with their figures, rising. */
export const horizonsOf = (output: object = {}): readonly (readonly [hours: string, rates: Rates])[] =>
  Object.entries(output)
    .filter((entry): entry is [string, Rates] => typeof entry[1] === 'object' && entry[1] !== null)
    .sort(([a], [b]) => Number(a) - Number(b));

/** The rate at the outermost confidence of the longest exposure, then what the first given rate loses. */
export function advanceRateSentences(output: Members, terms: Members): string[] {
  const [hours, rates] = horizonsOf(output).at(-1) ?? [];
  if (hours === undefined || rates === undefined) return [];
  const fall = terms.after_fall as { readonly fall: number } | undefined;
  const beginning = fall === undefined ? 'any hour' : `a fall of ${percent(fall.fall, 1)}`;
  const periods = `of ${plain(Number(hours))} ${hours === '1' ? 'hour' : 'hours'} from ${beginning}`;
  const level = Object.keys(rates.Confidence ?? {}).sort((a, b) => Number(b) - Number(a))[0];
  const rate = rates.Confidence?.[level]?.AdvanceRate;
  const [given, losses] = Object.entries(rates.AdvanceRate ?? {})[0] ?? [];
  return [
    ...(rate == null
      ? []
      : [
          `A debt of ${percent(rate, 1)} of the collateral is covered in all but ${outOf(Number(level))} periods ${periods}; the sale must begin at a coverage of ${plain(1 / rate, 4)}.`,
        ]),
    ...(given === undefined || losses?.PrLoss == null
      ? []
      : [
          losses.PrLoss === 0
            ? `At ${percent(Number(given), 2)} no period of this run loses.`
            : `At ${percent(Number(given), 2)} a share of ${percent(losses.PrLoss, 3)} of the periods loses, ${percent(Number(losses.LossGivenLossPct) / 100, 1)} of the debt each in the mean.`,
        ]),
  ];
}
