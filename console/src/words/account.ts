/**
 * The answer of /cross_perp_risk in sentences.
 *
 * Takes: the members of an answer. Gives: text. Must not know: the page.
 */
import { usd } from '#src/desk/words.ts';
import { outOfMany, percent, plain } from '../ui/format.ts';

/** What the page reads of `Results`. */
export interface AccountResults {
  readonly Now: {
    readonly Equity: number;
    readonly MarginEquity: number;
    readonly MaintenanceMargin: number;
    readonly MarginRatio: number;
    readonly EffectiveLeverage: number;
    readonly LiquidationPrices: Readonly<
      Record<string, { readonly Below: number | null; readonly Above: number | null }>
    >;
    readonly UniformShock: { readonly Down: number | null; readonly Up: number | null };
  };
  readonly PrMarginCall: number;
  readonly PrForcedClose: number;
  readonly PrLiquidation: number;
  readonly PrShortfall: number;
  readonly FinalEquity: Readonly<Record<string, number>>;
  readonly Loss: Readonly<
    Record<
      string,
      {
        readonly CVar: number;
        readonly Contributions: { readonly Positions: Readonly<Record<string, number>> };
      }
    >
  >;
  readonly Positions: readonly {
    readonly id: string;
    readonly market: string;
    readonly PrForcedClose: number;
    readonly ShareClosed: number;
    readonly Funding: number;
  }[];
}

/** A move of all prices beyond this is none to speak of: tenfold. */
const FAR = 9;

/** A move of prices within reach; null where there is none. */
export const within = (move: number | null): number | null => (move !== null && move <= FAR ? move : null);

/** The nearest move of one asset alone at which the account is liquidatable. */
function nearestAlone(
  { LiquidationPrices }: AccountResults['Now'],
  marks: Readonly<Record<string, number>>,
): string | undefined {
  const moves = Object.entries(LiquidationPrices).flatMap(([asset, { Below, Above }]) =>
    [Below, Above].flatMap(price => {
      const move = within(price === null || marks[asset] === undefined ? null : price / marks[asset] - 1);
      return move === null ? [] : [{ asset, move }];
    }),
  );
  const nearest = moves.sort((a, b) => Math.abs(a.move) - Math.abs(b.move))[0];
  if (nearest === undefined) return undefined;
  const { asset, move } = nearest;
  return `${asset} alone, ${percent(Math.abs(move), 2)} ${move < 0 ? 'lower' : 'higher'}, makes the account liquidatable.`;
}

/**
 * How far prices can move, the position that is closed most often, and what may be left.
 *
 * @param marks prices of the assets at the start
 */
export function accountSentences(
  { Now, PrForcedClose, PrLiquidation, FinalEquity, Positions }: AccountResults,
  hours: number,
  marks: Readonly<Record<string, number>>,
): string[] {
  const [down, up] = [within(Now.UniformShock.Down), within(Now.UniformShock.Up)];
  const term =
    hours % 24 === 0 ? `${plain(hours / 24)} ${hours === 24 ? 'day' : 'days'}` : `${plain(hours)} hours`;
  const moves = [
    ...(down === null ? [] : [`a fall of all prices by ${percent(-down, 2)}`]),
    ...(up === null ? [] : [`a rise of all prices by ${percent(up, 2)}`]),
  ].join(', or ');
  const alone = nearestAlone(Now, marks);
  const often = [...Positions].sort((a, b) => b.PrForcedClose - a.PrForcedClose)[0];
  return [
    moves === ''
      ? 'No fall of all prices together makes the account liquidatable, and no rise below tenfold.'
      : `${moves.charAt(0).toUpperCase()}${moves.slice(1)} makes the account liquidatable now.`,
    ...(alone === undefined ? [] : [alone]),
    PrForcedClose === 0
      ? `In no scenario is a position closed by force within ${term}.`
      : `In ${outOfMany(PrForcedClose)} scenarios positions are closed by force within ${term}, ${nameOf(often)} most often; in ${outOfMany(PrLiquidation)} none is left.`,
    `In 1 of 20 scenarios ${usd(Math.round(FinalEquity.q05))} USD or less of ${usd(Math.round(Now.Equity))} are left.`,
  ];
}

/** A position by its market, and its id where that says more than a number. */
const nameOf = ({ id, market }: AccountResults['Positions'][number]) =>
  /^\d+$/.test(id) ? `${market} (position ${id})` : id;
