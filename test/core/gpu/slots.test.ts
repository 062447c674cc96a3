import { describe, expect, it } from 'vitest';
import { Slots } from '#src/core/gpu/slots.js';

const turn = () => new Promise(resolve => setImmediate(resolve));

describe('The slots of the queue of a device', () => {
  it('are limited for all runs together', () => {
    const slots = new Slots(2);
    const [first, second] = [slots.open(), slots.open()];
    expect([first.tryTake(), second.tryTake(), first.tryTake(), second.tryTake()]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    first.release();
    expect(second.tryTake()).toBe(true);
  });

  it('go to waiting runs first, in their order', async () => {
    const slots = new Slots(1);
    const [holder, second, third] = [slots.open(), slots.open(), slots.open()];
    holder.tryTake();
    const order: string[] = [];
    void second.take(undefined).then(() => order.push('second'));
    void third.take(undefined).then(() => order.push('third'));
    await turn();
    holder.release();
    expect(holder.tryTake()).toBe(false);
    await turn();
    expect(order).toEqual(['second']);
    second.release();
    await turn();
    expect(order).toEqual(['second', 'third']);
  });

  it('are released by a run that ends', async () => {
    const slots = new Slots(2);
    const [failed, next] = [slots.open(), slots.open()];
    failed.tryTake();
    failed.tryTake();
    const waited = next.take(undefined);
    failed.close();
    await waited;
    expect(next.tryTake()).toBe(true);
    expect(next.tryTake()).toBe(false);
  });

  it('are not reserved for a run that was aborted while it waited', async () => {
    const slots = new Slots(1);
    const [holder, aborted, next] = [slots.open(), slots.open(), slots.open()];
    holder.tryTake();
    const abort = new AbortController();
    const given = aborted.take(abort.signal);
    const waited = next.take(undefined);
    abort.abort(new Error('not wanted'));
    await expect(given).rejects.toThrow('not wanted');
    await expect(aborted.take(abort.signal)).rejects.toThrow('not wanted');
    holder.release();
    await waited;
  });

  it('know whether more than one run is open', () => {
    const slots = new Slots();
    const first = slots.open();
    expect(slots.shared).toBe(false);
    const second = slots.open();
    expect(slots.shared).toBe(true);
    second.close();
    expect(slots.shared).toBe(false);
    first.close();
  });
});
