/**
 * Scenarios of a caller or of a file of the server: shocks of prices and volatilities, then hours of history in a replay.
 *
 * Must not know: books, the windows of a server.
 */
import { z } from 'zod';
import { type Hour, parseHour } from '../../text/calendar-date.ts';
import { issue, requirement } from '../../text/message.ts';
import type { ResolveSymbol } from '../../text/symbols.ts';
import { identifier, meaning, members, SHORTHAND, volatilityChange, wholeNumber } from './fields.ts';
import { priceShock } from './price-shock.ts';
import { proxies } from './proxies.ts';
import { reverse } from './reverse.ts';
import { rule, withRules } from './rules.ts';

/** The scenario without a shock in every answer. */
export const BASE_SCENARIO = 'base';
/** Most scenarios of one request. */
export const MAX_SCENARIOS = 32;
/** Longest replay. */
export const MAX_REPLAY_HOURS = 2160;

const HOUR_BOUND = 'a full hour of UTC, written 2020-03-12T00:00Z';

const hour = meaning(
  z.string({ error: requirement(HOUR_BOUND) }).transform((text, context): Hour => {
    const parsed = parseHour(text);
    if (parsed !== undefined) return parsed;
    context.addIssue(issue('malformed', [], HOUR_BOUND, text));
    return z.NEVER;
  }),
  'End of the bar whose close is the first price.',
  undefined,
  { examples: ['2020-03-12T00:00Z'] },
);

const replayHours = meaning(wholeNumber(1, MAX_REPLAY_HOURS), 'Number of replayed hours.', 'hours');

function replayObject(resolve: ResolveSymbol) {
  const sent = members({
    name: meaning(identifier, 'Name of a window of GET /scenarios, in place of from and hours.').optional(),
    from: hour.optional(),
    hours: replayHours.optional(),
    proxy: proxies(
      resolve,
      'Replacements for assets in this replay, also for those that have prices of their own: log returns of another asset times beta.',
    ),
  });
  return withRules(
    sent,
    rule<z.output<typeof sent>>(
      ['name', 'from', 'hours'],
      'from',
      ({ name, from, hours }) =>
        name === undefined
          ? from !== undefined && hours !== undefined
          : from === undefined && hours === undefined,
      () => 'sent together with hours, or name in place of both',
      ({ name, from, hours }) =>
        `${
          [name !== undefined && 'name', from !== undefined && 'from', hours !== undefined && 'hours']
            .filter(Boolean)
            .join(' and ') || 'neither'
        }`,
    ),
  );
}

/** An object, or its name in its place. */
const orName = <S extends z.ZodType>(object: S, words: string) =>
  z
    .preprocess(sent => (typeof sent === 'string' ? { name: sent } : sent), object)
    .meta({ [SHORTHAND]: { type: 'string', minLength: 1, maxLength: 64, description: words } });

const replay = (resolve: ResolveSymbol) =>
  meaning(
    orName(replayObject(resolve), 'Name of a window of GET /scenarios.'),
    'Past hours that are replayed after the shock; every loan is followed hour by hour.',
  ).optional();

/** A scenario as sent; one with a name alone is a scenario of GET /scenarios. */
export function scenario(resolve: ResolveSymbol) {
  const sent = members({
    name: meaning(identifier, 'Unique name of the scenario, 1 to 64 characters; not base.'),
    title: meaning(identifier, 'For people.').optional(),
    price_shock: priceShock(resolve),
    volatility_shock: meaning(
      volatilityChange,
      'Relative change of every volatility, in place of volatility_shock of params.',
      'fraction',
    ).optional(),
    replay: replay(resolve),
    reverse: reverse(resolve),
  });
  type Sent = z.output<typeof sent>;
  return withRules(
    sent,
    rule<Sent>(
      ['name'],
      'name',
      ({ name }) => name !== BASE_SCENARIO,
      () => `other than ${BASE_SCENARIO}, which is always the first scenario`,
      ({ name }) => name,
    ),
    rule<Sent>(
      ['price_shock', 'reverse'],
      'reverse',
      each => each.price_shock === undefined || each.reverse === undefined,
      () => 'sent without price_shock, which it finds',
      () => 'both',
    ),
  );
}

/** A processed scenario before the lookup of its window. */
export type SentScenario = z.output<ReturnType<typeof scenario>>;

const LIST_BOUND = `a list of 1 to ${MAX_SCENARIOS} scenarios, each an object or the name of one of GET /scenarios`;

/** Scenarios of a request: objects, or names of the library. */
export const scenarios = (resolve: ResolveSymbol) => {
  const item = orName(scenario(resolve), 'Name of a scenario of GET /scenarios.');
  return meaning(
    z.preprocess(
      (sent, context) => {
        if (Array.isArray(sent) && sent.length >= 1 && sent.length <= MAX_SCENARIOS) return sent;
        context.addIssue(issue('out_of_range', [], LIST_BOUND, sent));
        return z.NEVER;
      },
      z.array(item).superRefine(
        (list, context) => {
          const first = new Map<string, number>();
          list.forEach(({ name }, i) => {
            const known = first.get(name);
            if (known === undefined) first.set(name, i);
            else context.addIssue(issue('repeated', [i], `named otherwise than scenario ${known}`, name));
          });
        },
        { when: ({ issues, value }) => issues.length === 0 && Array.isArray(value) },
      ),
    ),
    'Scenarios beside base, which has unchanged prices. A name stands for a scenario of GET /scenarios.',
  );
};
