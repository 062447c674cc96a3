/** The member `proxy`: assets that stand in for others where those have no prices. */
import { z } from 'zod';
import { requirement } from '../../text/message.ts';
import { MAX_SYMBOLS, type ResolveSymbol } from '../../text/symbols.ts';
import { meaning, members, number, SYMBOL } from './fields.ts';

/** An asset whose log returns, times beta, replace another asset's; without a beta, that of the daily closes of both. */
export interface ProxyAsset {
  readonly asset: string;
  readonly beta?: number | undefined;
}
/** By the asset that they stand in for. */
export type Proxies = Readonly<Record<string, ProxyAsset>>;

const PROXY_BOUND = `an object of 1 to ${MAX_SYMBOLS} assets, each with the asset that stands in for it`;

/** What a proxy does in the window of a fit. */
export const JOINED_HISTORY =
  'Assets that stand in for others before their first close: log returns times beta continue the history of a young asset in the window.';

/** @param description of the map */
export function proxies(resolve: ResolveSymbol, description = JOINED_HISTORY) {
  const symbol = z
    .string({ error: requirement('a symbol') })
    .regex(SYMBOL)
    .toUpperCase()
    .overwrite(resolve);
  const one = members({
    asset: meaning(symbol, 'Asset that provides the log returns.'),
    beta: meaning(
      number('from -10 to 10').min(-10).max(10),
      'Factor of the log returns. Default: the slope of the daily log returns of both over the last 365 days, 1 where fewer than 30 of them are known.',
      'none',
    ).optional(),
  });
  return meaning(
    z
      .record(z.string(), one, { error: requirement(PROXY_BOUND) })
      .refine(sent => Object.keys(sent).length >= 1 && Object.keys(sent).length <= MAX_SYMBOLS, {
        error: requirement(PROXY_BOUND),
      })
      .transform(
        (sent): Proxies =>
          Object.fromEntries(Object.entries(sent).map(([key, proxy]) => [resolve(key.toUpperCase()), proxy])),
      ),
    description,
  ).optional();
}
