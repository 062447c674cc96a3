/**
 * Tranches of a book as lines of text, `senior 3% to 100%`, and the figures of who bears its losses (docs/tranches.md). Amounts are in
 * USD, shares fractions.
 *
 * Must not know: how they are computed.
 */
import type { CAPITAL_FIGURES, CAPITAL_HORIZON } from '../core/figures/capital.ts';
import type { LAYER_FIGURES, TRANCHE_FIGURES, TRANCHE_PLACES } from '../core/figures/waterfall.ts';

/** What an attachment point may be sought for. */
type AttachFigure = 'PrLoss' | 'ExpectedLossPct';

export interface SentTranche {
  readonly name: string;
  readonly attach?: number | undefined;
  /** `value` is a share for PrLoss, per cent for ExpectedLossPct. */
  readonly attach_for?: { readonly figure: AttachFigure; readonly value: number } | undefined;
  readonly detach: number;
}

/** The members of a book that say who bears its losses, as they are sent. */
export interface WaterfallSent {
  readonly tranches?: readonly SentTranche[] | undefined;
  readonly reserve?: number | undefined;
  readonly excess_spread?: number | undefined;
  readonly economic_capital?: boolean | undefined;
}

/** The members that were sent; undefined without any. */
export function waterfallSent(sent: WaterfallSent): WaterfallSent | undefined {
  const { tranches, reserve, excess_spread, economic_capital } = sent;
  const given = Object.entries({ tranches, reserve, excess_spread, economic_capital }).filter(
    ([, value]) => value !== undefined,
  );
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

/** Names of the tranches that a fall may be sought for: those whose attachment point is known before. */
export const attachedNames = ({ tranches = [] }: WaterfallSent = {}): readonly string[] =>
  tranches.flatMap(({ name, attach }) => (attach === undefined ? [] : [name]));

type Levels = 'LossVar' | 'LossCVar';

/** The figures of a tranche; null where no attachment point reaches its target. */
export type TrancheFigures = Readonly<
  Record<
    Exclude<keyof typeof TRANCHE_PLACES | keyof typeof TRANCHE_FIGURES, Levels | 'Detach'>,
    number | null
  > &
    Record<'Detach', number> &
    Record<Levels, Readonly<Record<string, number | null>>>
>;

/** Members of `Book`, each where it was asked for. */
export interface BookTranches<ByLevel> {
  readonly Tranches?: Readonly<Record<string, TrancheFigures>>;
  readonly Waterfall?: Readonly<Record<keyof typeof LAYER_FIGURES, number>>;
  readonly EconomicCapital?: Readonly<Record<keyof typeof CAPITAL_FIGURES, ByLevel>>['EconomicCapital'];
  readonly CapitalHorizonDays?: Readonly<Record<keyof typeof CAPITAL_HORIZON, number>>['CapitalHorizonDays'];
}

const FORM =
  'It is written "senior 3% to 100%", or "senior PrLoss 1% to 100%" for the least attachment point with it.';
const FIGURES: Readonly<Record<string, AttachFigure>> = {
  prloss: 'PrLoss',
  expectedlosspct: 'ExpectedLossPct',
};

/** `3%` or `0.03`. */
const shareOf = (text: string): number =>
  /^[\d.]+%$/.test(text) ? Number(`${text.slice(0, -1)}e-2`) : Number(text === '' ? Number.NaN : text);

/** The tranche of a line, or what is wrong with it; its bounds are checked where it is sent. */
export function readTranche(text: string): SentTranche | { readonly message: string } {
  const words = text
    .trim()
    .replace(/\s%/g, '%')
    .replace(/[<>≤]?=/g, ' ')
    .split(/\s+/);
  const at = words.lastIndexOf('to');
  const detach = shareOf(words.slice(at + 1).join(''));
  const from = shareOf(words[at - 1] ?? '');
  const figure = FIGURES[(words[at - 2] ?? '').toLowerCase()];
  const name = words.slice(0, figure === undefined ? at - 1 : at - 2).join(' ');
  if (at < 2 || name === '' || Number.isNaN(detach) || Number.isNaN(from)) return { message: FORM };
  if (figure === undefined) return { name, attach: from, detach };
  const value = figure === 'PrLoss' ? from : Number((100 * from).toPrecision(15));
  return { name, attach_for: { figure, value }, detach };
}

const shareWords = (share: number): string => `${Number((100 * share).toPrecision(12))}%`;

/** A tranche as a line. */
export const trancheText = ({ name, attach = 0, attach_for: target, detach }: SentTranche): string =>
  [
    name,
    ...(target === undefined
      ? [shareWords(attach)]
      : [target.figure, shareWords(target.figure === 'PrLoss' ? target.value : target.value / 100)]),
    'to',
    shareWords(detach),
  ].join(' ');
