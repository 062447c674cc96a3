/** A fleet's store in the memory of a test that records every call. */
import type { Entry } from '#src/fleet/store.js';
import { memoryStore } from './memory-store.ts';

export function recordedStore(now: () => number) {
  const kept = memoryStore(now);
  const calls = {
    put: [] as Entry[],
    get: [] as string[][],
    forget: [] as string[][],
    touch: [] as (readonly [string, number])[],
    list: 0,
    /** What was closed, in order: the store, and what the test adds. */
    closed: [] as string[],
  };
  const store = {
    ...kept,
    put: async (entry: Entry) => {
      calls.put.push(entry);
      await kept.put(entry);
    },
    get: async (names: readonly string[]) => {
      calls.get.push([...names]);
      return kept.get(names);
    },
    forget: async (names: readonly string[]) => {
      calls.forget.push([...names]);
      await kept.forget(names);
    },
    touch: async (name: string, seconds: number) => {
      calls.touch.push([name, seconds]);
      return kept.touch(name, seconds);
    },
    list: async (list: string) => {
      calls.list += 1;
      return kept.list(list);
    },
    close: async () => void calls.closed.push('store'),
  };
  return {
    /** The store without the record. */
    kept,
    store,
    calls,
  };
}
