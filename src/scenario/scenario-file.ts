/** Scenarios of a server: a JSON file of `{ "scenarios": [...] }`, each as in a request of /stress and with a title. */
import type { z } from 'zod';
import { members } from '../request/fields.ts';
import { type Checked, checkRequest } from '../request/parse.ts';
import { scenarios } from '../request/scenario.ts';
import { cashIsDollar } from '../request/symbols.ts';
import type { Day } from '../text/calendar-date.ts';
import { type NamedScenario, readScenario, scenarioLibrary } from './scenario.ts';

const scenarioFile: z.ZodType<{ readonly scenarios: z.output<ReturnType<typeof scenarios>> }> = members({
  scenarios: scenarios(cashIsDollar),
});

/** The scenarios with their windows, or every fault. @param today windows end before its end */
export function readScenarioFile(file: unknown, today: Day): Checked<readonly NamedScenario[]> {
  const checked = checkRequest(scenarioFile, file);
  if (!checked.ok) return checked;
  const library = scenarioLibrary();
  const read = checked.value.scenarios.map((sent, i) => {
    const path = `scenarios.${i}`;
    if (library.has(sent.name))
      return {
        faults: [{ path, message: `${path}.name must be other than ${sent.name}, a window of the program` }],
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
