/** Requests that begin one in a turn of the event loop. */
import { describe, expect, it } from 'vitest';
import { createLoopTurns } from '#src/server/admission/loop-turns.js';

/** A loop whose turns a test makes; `begun` names requests in the order in which they began. */
function openLoop() {
  const due: (() => void)[] = [];
  const turns = createLoopTurns(action => due.push(action));
  const begun: string[] = [];
  const take = (name: string) => turns.take(name[0], () => begun.push(name));
  const turn = () => {
    for (const action of due.splice(0)) action();
  };
  return { take, turn, begun };
}

describe('Requests', () => {
  it('start at once where nothing else has started in the turn', () => {
    const { take, turn, begun } = openLoop();
    take('a1');
    expect(begun).toEqual(['a1']);
    turn();
    take('a2');
    expect(begun).toEqual(['a1', 'a2']);
  });

  it('start one in each turn, and callers take turns', () => {
    const { take, turn, begun } = openLoop();
    for (let i = 1; i <= 200; i++) take(`a${i}`);
    take('b1');
    take('b2');
    for (let i = 0; i < 4; i++) {
      expect(begun).toHaveLength(i + 1);
      turn();
    }
    expect(begun).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
  });
});
