/**
 * The number of threads by which a run is cut into parts. That of the first server is in the store, so that a server that adopts the
 * run cuts the same parts, whatever workers there are by then, and finds the answers to them.
 *
 * Must not know: how a run is cut.
 */
import type { Fleet } from './fleet.ts';
import { threadsName } from './names.ts';

/** As long as the answers to parts. */
const KEPT_SECONDS = 3600;
const NUMBER = /^[1-9]\d{0,8}$/;

/** @param run its name, if another server may adopt it */
export async function cutThreads(
  fleet: Pick<Fleet, 'store' | 'ask' | 'threadsFor'>,
  engine: string,
  run: string | undefined,
): Promise<number> {
  const { store } = fleet;
  const threads = Math.max(1, fleet.threadsFor(engine));
  if (run === undefined) return threads;
  const name = threadsName(run, engine);
  const entry = { name, bytes: Buffer.from(String(threads)), seconds: KEPT_SECONDS };
  try {
    return await fleet.ask(async () => {
      if ((await store.change({ held: entry })) !== 'lost') return threads;
      const [kept] = await store.get([name]);
      await store.touch(name, KEPT_SECONDS);
      const text = Buffer.from(kept ?? []).toString('latin1');
      return NUMBER.test(text) ? Number(text) : threads;
    });
  } catch {
    // Only the answers to finished parts are not found then.
    return threads;
  }
}
