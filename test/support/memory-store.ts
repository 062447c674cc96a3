/** A fleet's store in the memory of a test, which forgets by a clock that the test may move. */
import type { Change, Changed, Entry, FleetStore } from '#src/fleet/store.js';

export function memoryStore(now: () => number = () => performance.now()): FleetStore {
  const kept = new Map<string, { bytes: Uint8Array; until: number; list: string | undefined }>();
  const find = (name: string) => {
    const entry = kept.get(name);
    return entry !== undefined && entry.until > now() ? entry : undefined;
  };
  const put = ({ name, bytes, seconds, list }: Entry) =>
    void kept.set(name, { bytes: Uint8Array.from(bytes), until: now() + 1000 * seconds, list });
  const entriesOf = (list: string) => [...kept.keys()].filter(name => find(name)?.list === list);
  const isSame = (one: Uint8Array, other: Uint8Array) => Buffer.compare(one, other) === 0;
  return {
    put: async entry => put(entry),
    async change({ free = [], room, held, put: entries = [], forget = [] }: Change): Promise<Changed> {
      if (free.some(name => find(name) !== undefined)) return 'taken';
      if (room !== undefined && entriesOf(room.list).length >= room.most) return 'full';
      const there = held && find(held.name)?.bytes;
      if (held !== undefined && there !== undefined && !isSame(there, held.bytes)) return 'lost';
      for (const entry of held === undefined ? entries : [held, ...entries]) put(entry);
      for (const name of forget) kept.delete(name);
      return 'done';
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
    list: async list => entriesOf(list),
    close: async () => {},
  };
}
