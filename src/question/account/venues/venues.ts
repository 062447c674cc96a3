/** The venues, in the order of lists. A venue is its file and its line here. */
import { BINANCE } from './binance.ts';
import { BYBIT } from './bybit.ts';
import { DANGO } from './dango.ts';
import { DYDX } from './dydx.ts';
import { HYPERLIQUID } from './hyperliquid.ts';
import { PARADEX } from './paradex.ts';
import type { Venue } from './rule-set.ts';
import { SIMPLE } from './simple.ts';

export type Venues = ReadonlyMap<string, Venue>;

const ALL: readonly Venue[] = [SIMPLE, BINANCE, HYPERLIQUID, PARADEX, DYDX, DANGO, BYBIT];

/** The venues of the program. */
export const VENUES: Venues = new Map(ALL.map(venue => [venue.name, venue]));
