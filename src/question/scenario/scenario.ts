/** Scenarios by name, and scenarios of requests and of the file of a server. */
import type { z } from 'zod';
import type { Fault } from '../../core/errors.ts';
import type { Day } from '../../text/calendar-date.ts';
import { show } from '../../text/message.ts';
import { cashIsDollar } from '../../text/symbols.ts';
import { members } from '../request/fields.ts';
import { type Checked, checkRequest } from '../request/parse.ts';
import type { PriceShock } from '../request/price-shock.ts';
import { type CompletedReverse, completedReverse } from '../request/reverse.ts';
import { type SentScenario, scenarios } from '../request/scenario.ts';
import type { ReplayChoice } from './asset-track.ts';
import { LIBRARY_WINDOWS } from './library.ts';

const HOURS_PER_DAY = 24;

/** The shock of prices first, then the replay; the volatility shock applies to the simulation after them. */
export interface Scenario {
  readonly name: string;
  readonly priceShock?: PriceShock;
  /** In place of the request's; fraction above -1. */
  readonly volatilityShock?: number;
  readonly replay?: ReplayChoice;
  /** In place of a shock of prices: the smallest one at which a figure reaches a bound. */
  readonly reverse?: CompletedReverse;
}

/** A scenario of the server. */
export interface NamedScenario extends Scenario {
  /** For people. */
  readonly title: string;
}

/** Scenarios that a request can name. */
export type ScenarioLibrary = ReadonlyMap<string, NamedScenario>;

/** The windows of the program and of the server. @param own with names of their own */
export function scenarioLibrary(own: readonly NamedScenario[] = []): ScenarioLibrary {
  const windows = LIBRARY_WINDOWS.map(
    ({ name, title, from, hours }): NamedScenario => ({
      name,
      title,
      replay: { name, from, hours, proxies: {} },
    }),
  );
  return new Map([...windows, ...own].map(each => [each.name, each]));
}

/** Context of the scenarios of a request. */
interface ScenarioTerms {
  readonly library: ScenarioLibrary;
  /** The day of the request. */
  readonly today: Day;
}

type ReadScenario =
  | { readonly scenario: Scenario; readonly faults?: undefined }
  | { readonly faults: readonly Fault[] };

/** A scenario with its window. @param path of the scenario in the request */
export function readScenario(sent: SentScenario, path: string, terms: ScenarioTerms): ReadScenario {
  const { name, price_shock, volatility_shock, replay, reverse } = sent;
  const isNamed = [price_shock, volatility_shock, replay, reverse].every(each => each === undefined);
  if (isNamed) {
    const named = terms.library.get(name);
    if (named !== undefined) return { scenario: named };
    const message = `${member(path)} must have price_shock, volatility_shock, replay or reverse, or the name of a scenario of GET /scenarios: ${namesOf(terms.library)}; got ${show(name)}`;
    return { faults: [{ code: 'unknown_value', path, message }] };
  }
  const choice = replay && replayChoice(replay, `${path}.replay`, terms);
  if (choice !== undefined && 'message' in choice) return { faults: [choice] };
  return {
    scenario: {
      name,
      ...(price_shock && { priceShock: price_shock }),
      ...(volatility_shock === undefined ? {} : { volatilityShock: volatility_shock }),
      ...(choice && { replay: choice }),
      ...(reverse && { reverse: completedReverse(reverse) }),
    },
  };
}

function replayChoice(
  { name, from, hours, proxy = {} }: NonNullable<SentScenario['replay']>,
  path: string,
  { library, today }: ScenarioTerms,
): ReplayChoice | Fault {
  if (name !== undefined) {
    const window = library.get(name)?.replay;
    if (window !== undefined) return { ...window, proxies: { ...window.proxies, ...proxy } };
    const known = new Map([...library].filter(([, each]) => each.replay !== undefined));
    return {
      code: 'unknown_value',
      path,
      message: `${member(path)} must be the name of a window of GET /scenarios: ${namesOf(known)}; got ${show(name)}`,
    };
  }
  const end = Number(from) + Number(hours);
  if (end > HOURS_PER_DAY * (today + 1))
    return {
      code: 'out_of_range',
      path: `${path}.from`,
      message: `${member(path)}.from must be at least hours before now`,
    };
  return { from: Number(from), hours: Number(hours), proxies: proxy };
}

const namesOf = (library: ScenarioLibrary) => [...library.keys()].join(', ');
const member = (path: string) => path.replace(/^params\./, '');

/** A JSON file of `{ "scenarios": [...] }`, each as in a request of /stress and with a title. */
const scenarioFile: z.ZodType<{ readonly scenarios: z.output<ReturnType<typeof scenarios>> }> = members({
  scenarios: scenarios(cashIsDollar),
});

type ReadNamed = { readonly scenario: NamedScenario } | { readonly faults: readonly Fault[] };

/** The scenarios with their windows, or every fault. @param today windows end before its end */
export function readScenarioFile(file: unknown, today: Day): Checked<readonly NamedScenario[]> {
  const checked = checkRequest(scenarioFile, file);
  if (!checked.ok) return checked;
  const library = scenarioLibrary();
  const read = checked.value.scenarios.map((sent, i): ReadNamed => {
    const path = `scenarios.${i}`;
    if (library.has(sent.name))
      return {
        faults: [
          {
            code: 'repeated',
            path,
            message: `${path}.name must be other than ${sent.name}, a window of the program`,
          },
        ],
      };
    const found = readScenario(sent, path, { library, today });
    return found.faults === undefined
      ? { scenario: { title: sent.name, ...(sent.title && { title: sent.title }), ...found.scenario } }
      : found;
  });
  const faults = read.flatMap(each => ('faults' in each ? (each.faults ?? []) : []));
  if (faults.length > 0) return { ok: false, faults };
  return { ok: true, value: read.flatMap(each => ('scenario' in each ? [each.scenario] : [])) };
}
