/** The queues of the engines: how many requests of each size run at once, and what they learn. */
import { describe, expect, it } from 'vitest';
import { createAdmission, type QueuedEngine } from '#src/server/admission/admission.js';
import { idle } from '../../support/idle.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const FAR = 1e6;

describe('Admission', () => {
  function admitted() {
    const clock = new ManualClock();
    clock.advance(7000);
    const admission = createAdmission(32, clock);
    const waited: number[] = [];
    const run = (engine: QueuedEngine, predictedSeconds: number, background = false) => {
      let end = () => {};
      let fail = () => {};
      const done = admission.run(
        { engine, kind: 'k', caller: 'a', predictedSeconds, deadline: FAR, background },
        new AbortController().signal,
        seconds => {
          waited.push(seconds);
          return new Promise<void>((resolve, reject) => {
            end = resolve;
            fail = () => reject(new Error('failed'));
          });
        },
      );
      done.catch(() => {});
      return { end: () => end(), fail: () => fail(), done };
    };
    return { clock, admission, waited, run };
  }

  it.each([
    ['large', 0.1, 2, 1],
    ['large', 5, 2, 1],
    ['small', 0.0999, 8, 4],
  ])(
    'runs %s requests of %d predicted seconds %i at once, in the background %i',
    async (size, seconds, most, background) => {
      for (const engine of ['cpu', 'gpu'] as const) {
        const { admission, waited, run } = admitted();
        for (let k = 0; k < most + 3; k++) run(engine, seconds);
        await idle();
        expect(waited).toHaveLength(most);
        expect(admission.backlogs()).toEqual(
          (['cpu', 'gpu'] as const).flatMap(of =>
            ['small', 'large'].map(each => {
              const isOwn = of === engine && each === size;
              return {
                engine: of,
                size: each,
                waiting: isOwn ? 3 : 0,
                seconds: isOwn ? expect.closeTo(3 * seconds, 9) : 0,
              };
            }),
          ),
        );
        const behind = admitted();
        for (let k = 0; k < most + 3; k++) behind.run(engine, seconds, true);
        await idle();
        expect(behind.waited).toHaveLength(background);
        expect(behind.admission.backlogs().every(({ waiting }) => waiting === 0)).toBe(true);
      }
    },
  );

  it('learns less from work that fails', async () => {
    for (const [how, expected] of [
      ['end', 20],
      // A fifth of the way from 1 to 20.
      ['fail', 4.8],
    ] as const) {
      const { clock, admission, run } = admitted();
      const first = run('cpu', 1);
      await idle();
      clock.advance(20_000);
      first[how]();
      await idle();
      for (let k = 0; k < 3; k++) run('cpu', 1);
      await idle();
      expect(admission.backlogs()[1], how).toMatchObject({
        waiting: 1,
        seconds: expect.closeTo(expected, 9),
      });
    }
  });

  it('tells the work how many seconds it has waited', async () => {
    const { clock, waited, run } = admitted();
    const runs = [run('cpu', 1), run('cpu', 1)];
    await idle();
    run('cpu', 1);
    clock.advance(2500);
    await idle();
    runs[0].end();
    await idle();
    expect(waited).toEqual([0, 0, 2.5]);
  });
});
