/**
 * The answer of GET /scenarios: the scenarios that /stress accepts by name.
 */
import { drawdownOf, shippedWindows } from '../scenario/library.ts';
import { type NamedScenario, scenarioLibrary } from '../scenario/scenario.ts';
import { formatHour } from '../text/calendar-date.ts';
import type { Middleware } from './context.ts';

export const SCENARIOS_PATH = '/scenarios';

const listed = ({ name, title, priceShock, volatilityShock, replay }: NamedScenario) => ({
  name,
  title,
  ...(replay && { from: formatHour(replay.from), hours: replay.hours }),
  ...(replay && { drawdowns: drawdownsOf(replay.name, replay.hours) }),
  ...(priceShock && { price_shock: priceShock }),
  ...(volatilityShock === undefined ? {} : { volatility_shock: volatilityShock }),
});

/** Of the assets whose prices ship with the program. */
function drawdownsOf(window: string | undefined, hours: number) {
  const prices = window === undefined ? undefined : shippedWindows().get(window)?.prices;
  return Object.fromEntries([...(prices ?? [])].map(([asset, each]) => [asset, drawdownOf(each, hours)]));
}

/** Answers 200 with the windows of the program in the order of time, then the scenarios of the server. */
export function scenariosMiddleware(own: readonly NamedScenario[]): Middleware {
  let list: { readonly scenarios: readonly object[] } | undefined;
  return ctx => {
    list ??= { scenarios: [...scenarioLibrary(own).values()].map(listed) };
    ctx.body = list;
  };
}
