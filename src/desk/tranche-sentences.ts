/** Who bears the losses of a book, and its economic capital, in sentences; empty where there is nothing to say. */
import type { BookTranches, TrancheFigures } from './tranches.ts';
import { chance, levelText, listed, percent, roughUsd } from './words.ts';

type Levels = Readonly<Record<string, number>>;
export interface BookWithTranches extends BookTranches<Levels> {
  readonly ExpectedLoss: number;
}

/** `0.012 %` of the size of a tranche; below a thousandth of a per cent as a chance. */
export const lossShare = (pct: number): string => chance(pct / 100);

/** `3 % to 100 %`; the attachment point with the digits that a search finds. */
export const placeText = ({ Attach, Detach }: Pick<TrancheFigures, 'Attach' | 'Detach'>): string =>
  Attach === null ? `to ${levelText(Detach)}` : `${shortShare(Attach)} to ${shortShare(Detach)}`;

const shortShare = (share: number): string => `${Number((100 * share).toFixed(3))} %`;

const LAYERS = [
  ['Spread', 'the spread of loans without a loss'],
  ['Reserve', 'the reserve'],
  ['Tranches', 'tranches'],
  ['Uncovered', 'none of these'],
] as const;

/** Who bears the expected loss, and what the most senior tranche loses. */
export function tranchesSentence({ ExpectedLoss, Tranches = {}, Waterfall }: BookWithTranches): string {
  if (Waterfall === undefined) return '';
  const bearers = LAYERS.flatMap(([name, words]) =>
    Waterfall[name] > 0 ? [`${words} (${roughUsd(Waterfall[name])})`] : [],
  );
  const bears =
    bearers.length === 0
      ? 'No tranche and no reserve loses anything on average.'
      : `The expected loss of ${roughUsd(ExpectedLoss)} USD is borne by ${listed(bearers, LAYERS.length)}.`;
  const found = Object.entries(Tranches).filter(([, { Attach }]) => Attach !== null);
  const [senior] = found.sort(([, a], [, b]) => b.Detach - a.Detach || (b.Attach ?? 0) - (a.Attach ?? 0));
  if (senior === undefined) return bears;
  const [name, figures] = senior;
  const { PrLoss, ExpectedLossPct } = figures;
  const loses =
    PrLoss === 0 || PrLoss === null || ExpectedLossPct === null
      ? 'loses nothing in any simulated period'
      : `loses something in ${chance(PrLoss)} of periods, ${lossShare(ExpectedLossPct)} of its size on average`;
  return `${bears} The tranche ${name}, ${placeText(figures)} of what is lent, ${loses}.`;
}

/** @param level as a key of figures */
export function capitalSentence(
  { EconomicCapital, CapitalHorizonDays = 0 }: BookWithTranches,
  level: string,
): string {
  const capital = EconomicCapital?.[level];
  if (capital === undefined) return '';
  const at = levelText(Number(level));
  if (capital === 0)
    return `Economic capital at ${at} is 0, because losses are rarer than that level shows: that is no safety.`;
  return `Economic capital at ${at} is ${roughUsd(capital)} USD, the loss at that level above the expected loss, for loans of at most ${Number(CapitalHorizonDays.toFixed(1))} days.`;
}

/** The share of a tranche's size that a figure in USD is; null without a size. */
export const ofSize = (usd: number | null | undefined, size: number | null): string =>
  usd == null || size === null || size === 0 ? '' : percent(usd / size);
