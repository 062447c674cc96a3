/**
 * Scenarios of a stress: a shock of prices, a window of history that is replayed, a shock of volatilities.
 *
 * Takes: what a caller sent. Gives: schemas. Must not know: which windows the server has, prices.
 */
import { z } from 'zod';
import { type Hour, parseHour } from '../calendar-date.ts';
import { identifier, meaning, members, number, symbol, volatilityShock, wholeNumber } from './fields.ts';
import { issue, requirement } from './message.ts';
import { priceShock } from './price-shock.ts';
import type { ResolveSymbol } from './symbols.ts';
import { MAX_SYMBOLS } from './weight-map.ts';

/** Most scenarios of a request. */
export const MAX_SCENARIOS = 32;
/** The scenario that every stress has: nothing happens at the start. */
export const BASE = 'base';
/** Longest window: three months. */
const MAX_REPLAY_HOURS = 2160;
const HOUR_BOUND = 'a full hour, written 2020-03-12T00:00Z';
const LARGEST_BETA = 100;

const replayName = meaning(identifier, 'Name of a window that GET /scenarios lists.');

const replayHour = z
  .string({ error: requirement(HOUR_BOUND) })
  .transform((text, context): Hour => {
    const hour = parseHour(text);
    if (hour !== undefined) return hour;
    context.addIssue(issue([], HOUR_BOUND, text));
    return z.NEVER;
  })
  .meta({
    description: 'End of the hourly bar whose close is the first price (UTC).',
    pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:00(:00)?Z$',
    examples: ['2020-03-12T00:00Z'],
  });

const proxy = (resolve: ResolveSymbol) =>
  members({
    asset: meaning(symbol(resolve), 'Asset whose hours stand in.'),
    beta: meaning(
      number(`from -${LARGEST_BETA} to ${LARGEST_BETA}`).min(-LARGEST_BETA).max(LARGEST_BETA),
      'What its log returns are multiplied by.',
      'none',
    ).default(1),
  });

/** Symbols to what stands in for them. */
const proxies = (resolve: ResolveSymbol) =>
  meaning(
    z
      .record(symbol(resolve), proxy(resolve), { error: requirement('an object of symbols and proxies') })
      .refine(sent => Object.keys(sent).length <= MAX_SYMBOLS, {
        error: requirement(`an object of at most ${MAX_SYMBOLS} symbols`),
      }),
    'Assets whose log returns, times beta, stand in for those of assets without hours. A proxy is used even where there are hours.',
  ).default({});

/** A window to replay: by name, or from an hour on. */
export const replay = (resolve: ResolveSymbol) =>
  meaning(
    z.union(
      [
        replayName.transform(name => ({ name, proxy: {} })),
        members({ name: replayName, proxy: proxies(resolve) }),
        members({
          from: replayHour,
          hours: meaning(wholeNumber(1, MAX_REPLAY_HOURS), 'Length of the window.', 'hours'),
          proxy: proxies(resolve),
        }),
      ],
      {
        error: requirement(
          'the name of a window, or an object with from, hours and perhaps proxy, or with name and proxy',
        ),
      },
    ),
    'A window of history whose hourly closes are one path of all assets, before anything is simulated.',
  ).optional();

/** One scenario. */
export const scenario = (resolve: ResolveSymbol) =>
  members({
    name: meaning(identifier, `Its name in the answer, each once; ${BASE} is taken.`),
    price_shock: priceShock(resolve),
    volatility_shock: volatilityShock.unwrap().optional(),
    replay: replay(resolve),
  });

export type Scenario = z.output<ReturnType<typeof scenario>>;
export type Replay = NonNullable<Scenario['replay']>;

const SCENARIOS_BOUND = `a list of 1 to ${MAX_SCENARIOS} scenarios`;

/** A list of scenarios with distinct names, each with something that happens. */
export const scenarios = (resolve: ResolveSymbol) =>
  meaning(
    z
      .array(scenario(resolve), { error: requirement(SCENARIOS_BOUND) })
      .min(1)
      .max(MAX_SCENARIOS)
      .superRefine(
        (sent, context) => {
          const first = new Map([[BASE, -1]]);
          sent.forEach(({ name, ...events }, k) => {
            const known = first.get(name);
            if (known === undefined) first.set(name, k);
            else {
              const other = known < 0 ? `${BASE}, which is there already` : `the name of scenario ${known}`;
              context.addIssue(issue([k, 'name'], `different from ${other}`, name));
            }
            if (Object.values(events).every(event => event === undefined))
              context.addIssue(
                issue([k], 'one with price_shock, volatility_shock or replay', { name }, 'none of them'),
              );
          });
        },
        { when: ({ issues, value }) => issues.length === 0 && Array.isArray(value) },
      ),
    'What happens to the book before it is simulated, one scenario after the other; the base comes first in the answer.',
  );
