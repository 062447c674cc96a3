/** Jobs while the store of the fleet is away: callers are refused, and what runs goes on. */
import { describe, expect, it } from 'vitest';
import { CHECK_MS, StoreAway, StoreWatch } from '#src/fleet/store-watch.js';
import { idle } from '../../support/idle.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { advance, openServer, REPLY } from '../../support/shared-job-servers.ts';

/** A server whose store does not answer while it is away, and then makes the changes that it was asked for. */
function opened() {
  const clock = new ManualClock();
  const watch = new StoreWatch(clock);
  clock.every(CHECK_MS, () => watch.check());
  const kept = memoryStore(() => clock.now());
  let away: Promise<void> | undefined;
  let back = () => {};
  let calls = 0;
  const whenBack =
    <A extends unknown[], R>(call: (...asked: A) => Promise<R>) =>
    async (...asked: A): Promise<R> => {
      calls += 1;
      await away;
      return call(...asked);
    };
  const { put, change, get, touch, forget, list, close } = kept;
  const store = {
    ...{ put: whenBack(put), change: whenBack(change), get: whenBack(get), touch: whenBack(touch) },
    ...{ forget: whenBack(forget), list: whenBack(list), close },
  };
  const server = openServer(store, clock, undefined, call => watch.ask(call));
  return {
    ...{ ...server, clock, kept },
    calls: () => calls,
    leave() {
      away = new Promise(resolve => {
        back = resolve;
      });
    },
    /** After six seconds without an answer. */
    async notice() {
      await advance(clock, 6000);
    },
    async comeBack() {
      away = undefined;
      back();
      watch.note();
      await idle();
    },
  };
}

describe('While the store is away', () => {
  it('a new job is refused at once, without a call of the store', async () => {
    const { submit, leave, notice, comeBack, calls, kept, begun } = opened();
    leave();
    await notice();
    const before = calls();
    await expect(submit()).rejects.toEqual(new StoreAway());
    await expect(submit('key')).rejects.toMatchObject({ reason: 'engine-unavailable', retryAfterSeconds: 5 });
    expect(calls()).toBe(before);
    await comeBack();
    expect([await kept.list('jobs:me'), begun]).toEqual([[], []]);
    await submit();
    await idle();
    expect(begun).toHaveLength(1);
  });

  it('a job that was being submitted is refused, and is not started when the store accepts it', async () => {
    const { submit, leave, notice, comeBack, jobs, begun } = opened();
    leave();
    const submitted = submit().catch((error: unknown) => error);
    await notice();
    expect(await submitted).toEqual(new StoreAway());
    await comeBack();
    expect([begun, await jobs.list('me')]).toEqual([[], []]);
  });

  it('one with an idempotency key is refused, started when the store accepts it, and found by the key', async () => {
    const { submit, leave, notice, comeBack, jobs, begun } = opened();
    leave();
    const submitted = submit('key').catch((error: unknown) => error);
    await notice();
    expect(await submitted).toEqual(new StoreAway());
    await comeBack();
    expect(begun).toHaveLength(1);
    const [job] = await jobs.list('me');
    expect((await submit('key')).info.id).toBe(job.info.id);
    expect(begun).toHaveLength(1);
  });

  it('a running job is shown and goes on, and its result is there when the store answers', async () => {
    const { submit, leave, notice, comeBack, clock, jobs, begun } = opened();
    const { id } = (await submit()).info;
    await idle();
    void begun[0].report.started();
    await idle();
    leave();
    await notice();
    expect((await jobs.find('me', id))?.info.state).toBe('running');
    begun[0].finish();
    await idle();
    await expect(jobs.find('me', id)).rejects.toEqual(new StoreAway());
    await expect(jobs.list('me')).rejects.toEqual(new StoreAway());
    await comeBack();
    await advance(clock, 1000);
    expect(await (await jobs.find('me', id))?.reply()).toEqual(REPLY);
  });

  it('a job is cancelled, and its caller refused until the store has its end', async () => {
    const { submit, leave, notice, comeBack, clock, jobs, begun } = opened();
    const job = await submit();
    await idle();
    leave();
    await notice();
    await expect(jobs.remove(job)).rejects.toEqual(new StoreAway());
    expect(begun[0].signal.aborted).toBe(true);
    await comeBack();
    await advance(clock, 1000);
    expect((await jobs.find('me', job.info.id))?.info.state).toBe('cancelled');
  });
});
