/** A fleet's store in the memory of a test, which forgets by a clock that the test may move. */
import type { FleetStore } from '#src/fleet/store.js';

export function memoryStore(now: () => number = () => performance.now()): FleetStore {
  const kept = new Map<string, { bytes: Uint8Array; until: number; list: string | undefined }>();
  const find = (name: string) => {
    const entry = kept.get(name);
    return entry !== undefined && entry.until > now() ? entry : undefined;
  };
  const put = (name: string, bytes: Uint8Array, seconds: number, list?: string) =>
    void kept.set(name, { bytes: Uint8Array.from(bytes), until: now() + 1000 * seconds, list });
  return {
    put: async (name, bytes, seconds) => put(name, bytes, seconds),
    async putNew(name, bytes, seconds) {
      if (find(name) !== undefined) return false;
      put(name, bytes, seconds);
      return true;
    },
    get: async names => names.map(name => find(name)?.bytes),
    async touch(name, seconds) {
      const entry = find(name);
      if (entry !== undefined) entry.until = now() + 1000 * seconds;
      return entry !== undefined;
    },
    async forget(names) {
      for (const name of names) kept.delete(name);
    },
    list: async list => [...kept.keys()].filter(name => find(name)?.list === list),
    putListed: async (list, name, bytes, seconds) => put(name, bytes, seconds, list),
    close: async () => {},
  };
}
