/** Places that callers take in turns. */
import { describe, expect, it } from 'vitest';
import { createTurns } from '#src/core/turns.js';

/** Turns whose work lasts until the test ends it; `begun` lists the work in the order of its beginning. */
function openTurns(places: number) {
  const turns = createTurns(places);
  const begun: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const ask = (name: string, signal = new AbortController().signal) =>
    turns.run({ caller: name[0], signal }, () => {
      begun.push(name);
      return new Promise<string>((resolve, reject) => {
        ends.set(name, error => (error === undefined ? resolve(name) : reject(error)));
      });
    });
  const end = async (name: string, error?: Error) => {
    ends.get(name)?.(error);
    await new Promise(setImmediate);
  };
  return { ask, begun, end };
}

describe('Callers that take turns', () => {
  it('have at most one place each, and leave a free one to another caller', async () => {
    const { ask, begun, end } = openTurns(2);
    const all = [ask('a1'), ask('a2'), ask('a3')];
    await end('');
    expect(begun).toEqual(['a1']);
    all.push(ask('b1'));
    await end('');
    expect(begun).toEqual(['a1', 'b1']);
    await end('b1');
    expect(begun).toEqual(['a1', 'b1']);
    for (const name of ['a1', 'a2', 'a3']) await end(name);
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1']);
  });

  it('are served alternately, however many requests one of them has', async () => {
    const { ask, begun, end } = openTurns(1);
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) void ask(name);
    await end('');
    for (let i = 0; i < 5; i++) await end(begun[i]);
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('free their place when the work fails, and their turn when they leave', async () => {
    const { ask, begun, end } = openTurns(1);
    const failing = ask('a1');
    const leaving = new AbortController();
    const left = ask('b1', leaving.signal);
    const next = ask('c1');
    await end('');
    leaving.abort(new Error('b has left'));
    await expect(left).rejects.toThrow('b has left');
    void end('a1', new Error('a has failed'));
    await expect(failing).rejects.toThrow('a has failed');
    await end('c1');
    expect([begun, await next]).toEqual([['a1', 'c1'], 'c1']);
  });
});
