/** Whether a service lives and is ready, by what it reported and when. */
import { describe, expect, it } from 'vitest';
import { createJudgement } from '#src/server/health/judgement.js';

function judge() {
  let now = 1000;
  const judgement = createJudgement(() => now);
  return {
    ...judgement,
    pass(milliseconds: number) {
      now += milliseconds;
    },
  };
}

const notReady = (...reasons: string[]) => ({ status: 503, body: { status: 'not ready', reasons } });
const ready = { status: 200, body: { status: 'ready', reasons: [] } };
const alive = { status: 200, body: { status: 'alive' } };

describe('A service', () => {
  it('without reports is alive and not ready', () => {
    const { live, ready: isReady } = judge();
    expect([live(), isReady()]).toEqual([alive, notReady('starting')]);
  });

  it('is ready for 5 seconds after a report without obstacles, and alive for 30', () => {
    const { report, live, ready: isReady, pass } = judge();
    report([]);
    pass(5000);
    expect([live(), isReady()]).toEqual([alive, ready]);
    pass(1);
    expect([live(), isReady()]).toEqual([alive, notReady('event loop stalled')]);
    pass(24_999);
    expect(live()).toEqual(alive);
    pass(1);
    expect(live()).toEqual({ status: 503, body: { status: 'stalled', silent_seconds: 30 } });
    report(['draining']);
    expect([live(), isReady()]).toEqual([alive, notReady('draining')]);
  });
});
