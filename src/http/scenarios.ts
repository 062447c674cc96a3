/**
 * The answer of GET /scenarios: what can be replayed by name.
 */
import { formatHour } from '../calendar-date.ts';
import { drawdownOf, shippedWindows } from '../scenario/library.ts';
import type { Middleware } from './context.ts';

export const SCENARIOS_PATH = '/scenarios';

const listed = () => ({
  scenarios: [...shippedWindows().values()].map(({ name, title, from, hours, prices }) => ({
    name,
    title,
    from: formatHour(from),
    hours,
    drawdowns: Object.fromEntries([...prices].map(([asset, each]) => [asset, drawdownOf(each, hours)])),
  })),
});
let list: ReturnType<typeof listed> | undefined;

/** Answers 200 with the windows of the library in the order of time. */
export const scenariosMiddleware: Middleware = ctx => {
  list ??= listed();
  ctx.body = list;
};
