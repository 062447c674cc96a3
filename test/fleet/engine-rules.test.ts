/** What is distributed to workers, and the addresses of a fleet. */
import { expect, it } from 'vitest';
import { redisAddress } from '#src/fleet/address.js';
import { ENGINE_RULES } from '#src/fleet/engine-rules.js';
import { milliseconds, scriptCall } from '#src/fleet/redis-change.js';

it('Work is distributed from a fraction of a second of its engine on, in parts of less', () => {
  const thread = {
    ...{ leastWork: 33_554_432, leastThreads: 1, partSize: { least: 8_388_608, most: 134_217_728 } },
    ...{ sendsPathNumbers: true, isDevice: false },
  };
  expect(ENGINE_RULES).toEqual({
    reference: thread,
    simd: { ...thread, leastWork: 134_217_728, partSize: { least: 33_554_432, most: 536_870_912 } },
    gpu: {
      ...{
        leastWork: 68_719_476_736,
        leastThreads: 2,
        partSize: { least: 17_179_869_184, most: 68_719_476_736 },
      },
      ...{ sendsPathNumbers: false, isDevice: true },
    },
    'software-gpu': { ...thread, isDevice: true },
  });
});

it.each([
  ['redis://user:secret@host:6379/0', 'redis://host:6379/0'],
  ['rediss://host', 'rediss://host'],
])('The address %s of a Redis is shown as %s', (url, shown) => {
  expect(redisAddress(url)).toEqual({ url, shown });
});

it.each([
  '',
  'host',
  'http://host',
  'postgres://host/db',
  'redis://',
  'redis:///0',
  'redis://host/a',
  'redis://host?db=a',
])('%j is no address of a Redis', text => {
  expect(redisAddress(text)).toBeUndefined();
});

it('A change is one script of Redis: keys, then the change with indices of keys and values, then the values', () => {
  const entry = (name: string, more: object = {}) => ({
    name,
    bytes: Uint8Array.of(name.charCodeAt(0)),
    seconds: 1.5,
    ...more,
  });
  const call = scriptCall(
    {
      ...{ free: ['f', 'g'], room: { list: 'l', most: 3 }, held: entry('h'), forget: ['x'] },
      put: [entry('p', { list: 'm' }), entry('q', { seconds: 0 })],
    },
    'prefix:',
    list => `list:${list}`,
  );
  expect(call.keys).toEqual(['h', 'f', 'g', 'list:l', 'p', 'list:m', 'q', 'x']);
  const [script, ...values] = call.values;
  expect(values).toEqual(['h', 'p', 'q'].map(name => Uint8Array.of(name.charCodeAt(0))));
  const held = { key: 1, value: 2, milliseconds: 1500 };
  expect(JSON.parse(String(script))).toEqual({
    ...{ prefix: 'prefix:', free: [2, 3], room: { set: 4, most: 3 }, held },
    put: [
      held,
      { key: 5, value: 3, milliseconds: 1500, set: 6, name: 'p' },
      { key: 7, value: 4, milliseconds: 1 },
    ],
    forget: [8],
  });
  expect(scriptCall({}, 'p', list => list)).toEqual({
    keys: [],
    values: ['{"prefix":"p","free":[],"put":[],"forget":[]}'],
  });
  expect([0, 0.0001, 0.0016, 2].map(milliseconds)).toEqual([1, 1, 2, 2000]);
});
