/** When a silent process counts as stalled and when as dead, on a clock of the test's own. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { VitalSigns } from '#src/engine/gpu-process/vital-signs.js';
import { ManualClock } from '../../support/manual-clock.ts';

let said: string[];
let pings: number;
let signs: VitalSigns;
let clock: ManualClock;
beforeEach(() => {
  clock = new ManualClock();
  said = [];
  pings = 0;
  signs = new VitalSigns(
    {
      ping: () => {
        pings += 1;
      },
      changed: why => said.push(why ?? 'well'),
      dead: why => said.push(`dead: ${why}`),
    },
    clock,
  );
});
afterEach(() => {
  signs.stop();
  expect(clock.pending, 'timers left').toBe(0);
});

describe('a process that answers', () => {
  it('is pinged every second and not disturbed', () => {
    for (let second = 0; second < 60; second++) {
      clock.advance(1000);
      signs.heard();
    }
    expect(pings).toBe(60);
    expect(said).toEqual([]);
  });

  it('may take some seconds for an answer, and is healthy when it comes', () => {
    clock.advance(3999);
    expect(said).toEqual([]);
    clock.advance(3000);
    expect(said).toEqual(['3 pings in a row were not answered']);
    signs.heard();
    expect(said.at(-1)).toBe('well');
    clock.advance(3000);
    expect(said).toHaveLength(2);
  });
});

describe('a process that is silent', () => {
  it('is reported dead after ten seconds, once', () => {
    clock.advance(9999);
    expect(said).toHaveLength(1);
    clock.advance(60_000);
    expect(said.slice(1)).toEqual(['dead: no sign of life for 10 s']);
    expect(pings).toBe(9);
  });
});

describe('aborted work', () => {
  it('may take two seconds to end', () => {
    signs.abortBegan(1);
    for (let second = 0; second < 30; second++) {
      clock.advance(1000);
      signs.heard();
      if (second === 0) signs.workEnded(1);
    }
    expect(said).toEqual([]);
  });

  it('stalls the process when it has not ended by then, until it ends', () => {
    signs.abortBegan(1);
    signs.abortBegan(2);
    for (let second = 0; second < 5; second++) {
      clock.advance(1000);
      signs.heard();
    }
    expect(said).toEqual(['aborted work has not ended for 2 s']);
    signs.workEnded(1);
    expect(said).toHaveLength(1);
    signs.workEnded(2);
    expect(said.at(-1)).toBe('well');
  });

  it('gets the process killed after twenty seconds, although it answers', () => {
    signs.abortBegan(1);
    for (let second = 0; second < 30; second++) {
      clock.advance(1000);
      signs.heard();
    }
    expect(said.slice(1)).toEqual(['dead: aborted work did not end in 20 s']);
  });
});
