/** Scenarios as they are sent: names, shocks and replays. */
import { describe, expect, it } from 'vitest';
import { scenarios } from '#src/question/request/scenario.js';
import { parseHour } from '#src/text/calendar-date.js';
import { explain } from '#src/text/message.js';

const schema = scenarios(symbol => (symbol === 'XBT' ? 'BTC' : symbol));
const read = (sent: unknown) => schema.safeParse(sent, { error: explain });
const faultsOf = (sent: unknown) =>
  read(sent).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
const replayFaults = (replay: unknown) => faultsOf([{ name: 'a', replay }]);
const names = (count: number) => Array.from({ length: count }, (_, k) => `s${k}`);
const FROM = '2020-03-12T00:00Z';

describe('Scenarios', () => {
  it('are 1 to 32 objects or names, each once', () => {
    expect(read(['a', { name: 'b', price_shock: { xbt: -0.1 } }]).data).toEqual([
      { name: 'a' },
      { name: 'b', price_shock: { BTC: -0.1 } },
    ]);
    expect(faultsOf(names(32))).toEqual([]);
    const bound = 'a list of 1 to 32 scenarios, each an object or the name of one of GET /scenarios';
    expect(faultsOf(names(33))).toEqual([`: The body must be ${bound}; got a list of 33`]);
    expect(faultsOf([])).toEqual([`: The body must be ${bound}; got a list of 0`]);
    expect(faultsOf('a')).toEqual([`: The body must be ${bound}; got "a"`]);
    expect(faultsOf(['a', 'b', { name: 'a' }, 'b'])).toEqual([
      '2: 2 must be named otherwise than scenario 0; got "a"',
      '3: 3 must be named otherwise than scenario 1; got "b"',
    ]);
  });

  it('are not named base, nor by an empty or long text', () => {
    expect(faultsOf(['base'])).toEqual([
      '0.name: 0.name must be other than base, which is always the first scenario; got base',
    ]);
    expect(faultsOf(['bases', 'x'.repeat(64)])).toEqual([]);
    expect(faultsOf(['', 'x'.repeat(65)])).toHaveLength(2);
    // Names are not compared where one of them is faulty.
    expect(faultsOf([7, 'a', 'a'])).toHaveLength(1);
  });
});

describe('A replay', () => {
  it('has a window by its name, or the first hour and the number of hours', () => {
    expect(read([{ name: 'a', replay: 'covid' }]).data).toEqual([{ name: 'a', replay: { name: 'covid' } }]);
    const from = parseHour(FROM);
    for (const hours of [1, 2160])
      expect(read([{ name: 'a', replay: { from: FROM, hours } }]).data).toEqual([
        { name: 'a', replay: { from, hours } },
      ]);
  });

  it.each<[object, string]>([
    [{}, 'neither'],
    [{ from: FROM }, 'from'],
    [{ hours: 5 }, 'hours'],
    [{ name: 'w', from: FROM }, 'name and from'],
    [{ name: 'w', hours: 5 }, 'name and hours'],
    [{ name: 'w', from: FROM, hours: 5 }, 'name and from and hours'],
  ])('with %j is refused', (replay, got) => {
    expect(replayFaults(replay)).toEqual([
      `0.replay.from: 0.replay.from must be sent together with hours, or name in place of both; got ${got}`,
    ]);
  });

  it('is of 1 to 2160 full hours', () => {
    for (const hours of [0, 2161, 1.5])
      expect(replayFaults({ from: FROM, hours })).toEqual([
        `0.replay.hours: 0.replay.hours must be a whole number from 1 to 2160; got ${hours}`,
      ]);
    for (const from of ['2020-03-12T00:30Z', '2020-03-12', 7])
      expect(replayFaults({ from, hours: 5 })).toEqual([
        `0.replay.from: 0.replay.from must be a full hour of UTC, written 2020-03-12T00:00Z; got ${JSON.stringify(from)}`,
      ]);
  });

  it('has proxies of 1 to 32 assets, each with a beta from -10 to 10', () => {
    const proxy = (sent: unknown) =>
      read([{ name: 'a', replay: { name: 'w', proxy: sent } }]).data?.[0].replay?.proxy;
    const faults = (sent: unknown) => replayFaults({ name: 'w', proxy: sent });
    expect(proxy({ xbt: { asset: 'eth' }, SOL: { asset: 'xbt', beta: -10 } })).toEqual({
      BTC: { asset: 'ETH' },
      SOL: { asset: 'BTC', beta: -10 },
    });
    const many = (count: number) =>
      Object.fromEntries(names(count).map(name => [name, { asset: 'BTC', beta: 10 }]));
    expect(faults(many(32))).toEqual([]);
    for (const sent of [many(33), {}])
      expect(faults(sent)).toEqual([
        '0.replay.proxy: 0.replay.proxy must be an object of 1 to 32 assets, each with the asset that stands in for it; got an object',
      ]);
    for (const beta of [10.01, -10.01])
      expect(faults({ SOL: { asset: 'BTC', beta } })).toEqual([
        `0.replay.proxy.SOL.beta: 0.replay.proxy.SOL.beta must be from -10 to 10; got ${beta}`,
      ]);
    expect(faults({ SOL: { asset: '!' } })).toHaveLength(1);
  });
});
