/** The fields of a book on who bears its losses, as members of a request. */
import { readTranche, type SentTranche, type WaterfallSent } from '#src/desk/tranches.ts';
import type { Fault } from '../api/request.ts';
import type { Fields } from '../state/address.ts';
import { numberOf } from '../ui/typed-numbers.ts';

/** `equity 0% to 1%; senior 1% to 100%`, with either mark before a fraction. */
export function waterfallFields(fields: Fields): {
  readonly params: WaterfallSent | object;
  readonly faults: readonly Fault[];
} {
  const texts = (fields.tranches ?? '')
    .split(/[;\n]/)
    .map(text => text.trim().replace(/(?<=\d),(?=\d)/g, '.'))
    .filter(text => text !== '');
  const read = texts.map(readTranche);
  const tranches = read.filter((each): each is SentTranche => !('message' in each));
  const faults = read.flatMap((each, i) =>
    'message' in each
      ? [{ path: 'params.tranches', code: 'malformed', message: `${texts[i]}: ${each.message}` } as const]
      : [],
  );
  const [reserve, spread] = [numberOf(fields.reserve), numberOf(fields.spread)];
  return {
    params: {
      ...(tranches.length > 0 && { tranches }),
      ...(reserve !== 0 && { reserve }),
      ...(spread !== 0 && { excess_spread: spread }),
      ...(fields.capital === '1' && { economic_capital: true }),
    },
    faults,
  };
}
