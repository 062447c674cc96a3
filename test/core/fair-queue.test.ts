/** Equal shares of callers in a queue. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFairQueue } from '#src/core/fair-queue.js';

describe('A fair queue', () => {
  it('serves one request of a caller before the second of another', () => {
    const queue = createFairQueue<string>();
    for (const item of ['a1', 'a2', 'a3', 'b1']) queue.push(item[0], item === 'b1' ? 100 : 1, item);
    expect([queue.ahead('b'), queue.ahead('c')]).toEqual([4, 2]);
    expect(queue.entries.map(({ item }) => item)).toEqual(['a1', 'b1', 'a2', 'a3']);
  });

  it('skips callers that may not be served now, and leaves their requests in place', () => {
    const queue = createFairQueue<string>();
    for (const item of ['a1', 'a2', 'b1', 'b2']) queue.push(item[0], 1, item);
    expect(queue.shift(caller => caller === 'b')?.item).toBe('b1');
    expect(queue.shift(caller => caller === 'c')).toBeUndefined();
    expect([queue.shift()?.item, queue.shift()?.item, queue.shift()?.item]).toEqual(['a1', 'a2', 'b2']);
  });

  it('charges a caller nothing for requests that left unserved', () => {
    const step = fc.record({ caller: fc.constantFrom('a', 'b', 'c'), leaving: fc.option(fc.nat(20)) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), steps => {
        const queue = createFairQueue<number>();
        steps.forEach(({ caller, leaving }, i) => {
          queue.push(caller, 1, i);
          if (leaving !== null) queue.remove(queue.entries[leaving % queue.length]);
        });
        const starts = queue.entries.map(({ start }) => start);
        expect(starts).toEqual(starts.toSorted((a, b) => a - b));
        for (const caller of ['a', 'b', 'c']) {
          const own = queue.entries.filter(entry => entry.caller === caller);
          expect(own.map(({ start }) => start)).toEqual(own.map((_, rank) => rank));
          const items = own.map(({ item }) => item);
          expect(items).toEqual(items.toSorted((a, b) => a - b));
        }
      }),
    );
  });

  it('counts the service of a caller even when one of its later requests leaves', () => {
    const queue = createFairQueue<string>();
    for (const item of ['a1', 'b1', 'a2', 'b2', 'a3']) queue.push(item[0], 1, item);
    queue.shift();
    queue.shift();
    queue.remove(queue.entries[0]);
    expect(queue.entries.map(({ item, start }) => [item, start])).toEqual([
      ['b2', 1],
      ['a3', 1],
    ]);
  });

  it('moves the requests behind one that left to where they would have been', () => {
    const queue = createFairQueue<string>();
    for (const item of ['a1', 'a2', 'b1', 'b2', 'b3']) queue.push(item[0], item === 'a1' ? 10 : 1, item);
    expect(queue.entries.map(({ item }) => item)).toEqual(['a1', 'b1', 'b2', 'b3', 'a2']);
    queue.remove(queue.entries[0]);
    expect(queue.entries.map(({ item }) => item)).toEqual(['b1', 'a2', 'b2', 'b3']);
  });
});
