/** Jobs of two servers while the clock of the store's host is set forward or back: leases and entries expire by that clock. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { JobReply } from '#src/server/jobs/job.js';
import { ManualClock } from '../../support/manual-clock.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { advance, heldWork, ofServer, openServer, REPLY, RESUMER } from '../../support/shared-job-servers.ts';

const HOUR_MS = 3_600_000;
const replyOf = (body: string): JobReply => ({ ...REPLY, body });

/** Two servers whose timers are half a period apart: the first runs a job, the other would adopt it. */
async function twoServers() {
  const clock = new ManualClock();
  const set = { ms: 0 };
  const kept = memoryStore(() => clock.now() + set.ms);
  const { store, kill } = ofServer(kept);
  const one = openServer(store, clock);
  await advance(clock, 750);
  const adopted = heldWork();
  const other = openServer(kept, clock, { ...RESUMER, resume: async () => adopted.work });
  const { id } = (await one.submit()).info;
  await one.begun[0].report.started();
  await advance(clock, 6750);
  expect(adopted.begun).toHaveLength(0);
  const third = openServer(kept, clock);
  const stored = async () => {
    const view = await third.jobs.find('me', id);
    return [view?.info.state, (await view?.reply())?.body];
  };
  return { clock, set, kept, kill, one, other, adopted: adopted.begun, id, stored };
}

describe('A clock that is set forward by an hour', () => {
  it('lets another server adopt a running job, whose result counts alone', async () => {
    const { clock, set, one, adopted, stored } = await twoServers();
    // The other server looks 750 milliseconds before the first renews its lease.
    set.ms = HOUR_MS;
    await advance(clock, 750);
    expect(adopted).toHaveLength(1);
    expect(one.begun[0].signal.aborted).toBe(false);
    one.begun[0].finish(replyOf('"of the first"'));
    await advance(clock, 2000);
    expect(await stored()).toEqual(['queued', undefined]);
    adopted[0].finish(replyOf('"of the other"'));
    await advance(clock, 1000);
    expect(await stored()).toEqual(['done', '"of the other"']);
  });

  it('stops the work of the first server when it finds its lease taken', async () => {
    const { clock, set, one, adopted } = await twoServers();
    set.ms = HOUR_MS;
    await advance(clock, 1500);
    expect([adopted.length, one.begun[0].signal.aborted]).toEqual([1, true]);
  });

  it('leaves the job to its server where that renews its lease first', async () => {
    const { clock, set, one, adopted, stored } = await twoServers();
    await advance(clock, 1000);
    set.ms = HOUR_MS;
    await advance(clock, 6000);
    expect([adopted.length, one.begun[0].signal.aborted]).toEqual([0, false]);
    one.begun[0].finish(replyOf('"of the first"'));
    await advance(clock, 1000);
    expect(await stored()).toEqual(['done', '"of the first"']);
  });
});

describe('A clock that is set back by an hour', () => {
  it('changes nothing for a job whose server renews its lease', async () => {
    const { clock, set, one, adopted, kill } = await twoServers();
    set.ms = -HOUR_MS;
    await advance(clock, 6000);
    expect([adopted.length, one.begun[0].signal.aborted]).toEqual([0, false]);
    kill();
    await advance(clock, 8000);
    expect(adopted).toHaveLength(1);
  });

  it('delays the adoption of a job whose server has just ended, and loses nothing', async () => {
    const { clock, set, adopted, kill, stored } = await twoServers();
    kill();
    set.ms = -HOUR_MS;
    await advance(clock, 60_000);
    expect(adopted).toHaveLength(0);
    set.ms = 8000;
    await advance(clock, 2000);
    adopted[0].finish(replyOf('"of the other"'));
    await advance(clock, 1000);
    expect(await stored()).toEqual(['done', '"of the other"']);
  });
});

describe('A server that comes back after another one has ended its job', () => {
  /** The first server loses its lease, and the other one ends the job before the first looks again. */
  async function ended() {
    const servers = await twoServers();
    const { clock, set, adopted } = servers;
    set.ms = HOUR_MS;
    await advance(clock, 750);
    adopted[0].finish(replyOf('"of the other"'));
    await advance(clock, 250);
    return servers;
  }

  it('stops its work, and changes neither state nor result', async () => {
    const { clock, one, stored } = await ended();
    expect(await stored()).toEqual(['done', '"of the other"']);
    one.begun[0].report.progress(0.5);
    await advance(clock, 3000);
    expect([one.begun[0].signal.aborted, await stored()]).toEqual([true, ['done', '"of the other"']]);
  });

  it('does not bring back a job that was removed meanwhile', async () => {
    const { clock, one, other, id, kept, stored } = await ended();
    await other.jobs.remove((await other.jobs.find('me', id)) as NonNullable<unknown> as never);
    one.begun[0].report.progress(0.5);
    await advance(clock, 3000);
    expect([one.begun[0].signal.aborted, await stored()]).toEqual([true, [undefined, undefined]]);
    expect(await kept.list('jobs:me')).toEqual([]);
  });
});

describe('A server whose clock is ten minutes ahead', () => {
  it('leaves a job whose times are in order where another server adopts it', async () => {
    const clock = new ManualClock();
    const kept = memoryStore(() => clock.now());
    const { store, kill } = ofServer(kept);
    const ahead = openServer(store, clock);
    const now = Date.now();
    const system = vi.spyOn(Date, 'now').mockReturnValue(now + 600_000);
    onTestFinished(() => system.mockRestore());
    const { id } = (await ahead.submit()).info;
    kill();
    system.mockReturnValue(now);
    const adopted = heldWork();
    const other = openServer(kept, clock, { ...RESUMER, resume: async () => adopted.work });
    await advance(clock, 9000);
    await adopted.begun[0].report.started();
    const running = (await other.jobs.find('me', id))?.info;
    expect(running?.created).toBe(now + 600_000);
    expect(running?.started).toBeGreaterThanOrEqual(now + 600_000);
    adopted.begun[0].finish(replyOf('"of the other"'));
    await advance(clock, 1000);
    const done = (await other.jobs.find('me', id))?.info;
    expect(done?.finished).toBeGreaterThanOrEqual(running?.started ?? Number.POSITIVE_INFINITY);
  });
});
