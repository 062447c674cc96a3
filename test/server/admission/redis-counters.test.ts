/** Counters in a Redis, with a server of the test in its place. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Redis, ReplyError } from 'ioredis';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Counters } from '#src/server/admission/counters.js';
import { openRedisCounters } from '#src/server/admission/redis-counters.js';
import { eventually } from '../../support/eventually.ts';
import { collectLog } from '../../support/log-lines.ts';
import { ManualClock } from '../../support/manual-clock.ts';

/** The commands in a text of the protocol. */
function commandsOf(text: string): string[][] {
  const lines = text.split('\r\n');
  const commands: string[][] = [];
  for (let at = 0; at < lines.length && lines[at].startsWith('*'); ) {
    const count = Number(lines[at].slice(1));
    commands.push(Array.from({ length: count }, (_, k) => lines[at + 2 + 2 * k]));
    at += 1 + 2 * count;
  }
  return commands;
}

const AWAY = 'the shared counters do not answer; this process counts for itself';
const BACK = 'the shared counters answer';

const closing: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A server that answers scripts and trials as the test says, or not at all. */
async function openServer() {
  const sockets = new Set<Socket>();
  const asked: string[][] = [];
  const state = { script: ':1' as string | undefined, set: '+OK' as string | undefined };
  /** Answers that a server that stands still gives later. */
  const late: (() => void)[] = [];
  const answer = (socket: Socket, text: string | undefined) => {
    if (text === undefined) late.push(() => socket.write('+OK\r\n'));
    else socket.write(`${text}\r\n`);
  };
  const server = createServer(socket => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    socket.on('data', data => {
      for (const command of commandsOf(String(data))) {
        const name = command[0].toLowerCase();
        const info = 'redis_version:7.0.0\r\nloading:0';
        if (name === 'info') socket.write(`$${info.length}\r\n${info}\r\n`);
        else if (name === 'eval' || name === 'zrem') {
          asked.push(name === 'eval' ? [name, ...command.slice(2)] : command);
          answer(socket, name === 'eval' ? state.script : ':1');
        } else answer(socket, name === 'set' ? state.set : '+OK');
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => server.close());
  const { log, lines } = collectLog();
  const connections = vi.spyOn(Redis.prototype, 'connect');
  const url = `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clock = new ManualClock();
  const counters: Counters = await openRedisCounters({ url, log, prefix: 'p', clock });
  closing.push(() => counters.close());
  const client = connections.mock.contexts[0] as Redis;
  connections.mockRestore();
  return { sockets, asked, state, late, counters, lines, client, clock, renew: () => clock.advance(20_000) };
}

describe('Counters in a Redis', () => {
  it('wait a quarter of a second for an answer, and connect again after five seconds at most', async () => {
    const { options } = (await openServer()).client;
    expect(options).toMatchObject({
      ...{
        connectTimeout: 2000,
        socketTimeout: 5000,
        commandTimeout: 250,
        maxRetriesPerRequest: 0,
        enableOfflineQueue: false,
      },
    });
    expect([1, 7, 50, 51].map(tries => options.retryStrategy?.(tries))).toEqual([100, 700, 5000, 5000]);
  });

  it('close their connection, and say nothing of it', async () => {
    const { sockets, counters, lines } = await openServer();
    expect([counters.shared, sockets.size]).toEqual([true, 1]);
    await counters.close();
    await eventually(() => sockets.size === 0 && !counters.shared);
    expect(lines.map(({ msg }) => msg)).toEqual([BACK]);
  });

  it('say once that the Redis is away, and that it is back', async () => {
    const { sockets, counters, lines } = await openServer();
    for (const socket of sockets) socket.destroy();
    await eventually(() => lines.length === 2);
    expect(lines[1]).toMatchObject({
      reason: 'closed',
      msg: AWAY,
    });
    await eventually(() => counters.shared === true);
    expect(lines.map(({ msg }) => msg)).toEqual([BACK, AWAY, BACK]);
  });

  it('say why the Redis is away, once for each time and once in a minute', async () => {
    const { client, lines, clock } = await openServer();
    const back = async () => {
      const before = lines.length;
      client.emit('ready');
      await eventually(() => lines.length > before);
    };
    client.emit('error', Object.assign(new Error('m'), { code: 'ETIMEDOUT' }));
    for (let attempt = 0; attempt < 3; attempt++) client.emit('close');
    expect(lines.slice(1)).toMatchObject([{ reason: 'ETIMEDOUT', msg: AWAY }]);
    await back();
    client.emit('close');
    await back();
    client.emit('error', new TypeError('m'));
    client.emit('close');
    client.emit('error', new ReplyError('WRONGPASS invalid password for the-user'));
    client.emit('close');
    expect(lines.slice(2)).toMatchObject([
      { msg: BACK },
      { reason: 'closed', msg: AWAY },
      { msg: BACK },
      { reason: 'TypeError', msg: AWAY },
    ]);
    clock.stall(60_000);
    client.emit('error', new ReplyError('WRONGPASS invalid password for the-user'));
    client.emit('close');
    expect(lines[6]).toMatchObject({ reason: 'WRONGPASS', left_out: 1, msg: AWAY });
  });

  it.each([
    ['refuses writes', "-OOM command not allowed when used memory > 'maxmemory'.", 'OOM'],
    ['does not answer', undefined, 'Error'],
  ])('count in this process while the Redis %s, without asking it', async (_, set, reason) => {
    const { asked, state, late, counters, lines, clock, client } = await openServer();
    const places = counters.places('concurrent');
    const minute = counters.perMinute('work', 10);
    const totals = counters.totals('usage');
    const trials = vi.spyOn(client, 'set');
    const trial = async () => {
      clock.advance(1000);
      await trials.mock.results.at(-1)?.value.catch(() => {});
    };
    state.set = set;
    await trial();
    // One answer may be late.
    expect(counters.shared).toBe(true);
    await trial();
    expect(counters.shared).toBe(false);
    expect(lines.slice(1)).toMatchObject([{ level: 40, reason, msg: AWAY }]);
    expect(await places.take('key', 1)).toBeDefined();
    expect(await places.take('key', 1)).toBeUndefined();
    const consumed = vi.spyOn(client, 'rlflxIncr' as never);
    expect(await minute.consume('key', 4)).toMatchObject({ remainingPoints: 6 });
    expect(await minute.reward('key', 4)).toMatchObject({ remainingPoints: 10 });
    expect(await totals.add([{ key: 'a', amount: 3, keepSeconds: 60 }])).toEqual([3]);
    expect(await totals.add([{ key: 'a', amount: -2, keepSeconds: 60 }])).toEqual([1]);
    expect(consumed).not.toHaveBeenCalled();
    expect(asked).toEqual([]);
    state.set = '+OK';
    for (const send of late) send();
    await trial();
    await eventually(() => counters.shared === true);
    expect(lines.slice(2)).toMatchObject([{ msg: BACK }]);
    expect(await places.take('key', 1)).toBeDefined();
    expect(asked).toHaveLength(1);
  });

  it('release a place that the Redis may take after the wait for it', async () => {
    const { asked, state, counters } = await openServer();
    state.script = undefined;
    expect(await counters.places('concurrent').take('key', 1)).toBeDefined();
    await eventually(() => asked.length === 2);
    expect(asked[1]).toEqual(['zrem', 'p:concurrent:key', asked[0].at(-1)]);
  });

  it('say that the Redis is away from the start', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    const { log, lines } = collectLog();
    const counters = await openRedisCounters({ url: `redis://127.0.0.1:${port}`, log, prefix: 'p' });
    closing.push(() => counters.close());
    await eventually(() => lines.length > 0);
    expect(lines[0]).toMatchObject({ level: 40, reason: 'ECONNREFUSED' });
    expect(counters.shared).toBe(false);
  });

  it('take a place of a key for a minute, and release it once', async () => {
    const { asked, state, counters } = await openServer();
    const places = counters.places('concurrent');
    const release = await places.take('key', 3);
    const place = asked[0].at(-1);
    expect(asked[0]).toEqual([
      'eval',
      '1',
      'p:concurrent:key',
      '3',
      '60000',
      expect.stringMatching(/^[0-9a-f-]{36}$/),
    ]);
    release?.();
    release?.();
    await eventually(() => asked.length === 2);
    expect(asked[1]).toEqual(['zrem', 'p:concurrent:key', place]);
    state.script = ':0';
    expect(await places.take('key', 3)).toBeUndefined();
    expect(asked).toHaveLength(3);
  });

  it('renew the places in use every twenty seconds, and no others', async () => {
    const { asked, counters, renew } = await openServer();
    const places = counters.places('concurrent');
    const releases = [await places.take('a', 3), await places.take('a', 3), await places.take('b', 3)];
    const [first, second, third] = asked.splice(0).map(values => values.at(-1));
    renew();
    await eventually(() => asked.length === 2);
    expect(asked.splice(0)).toEqual([
      ['eval', '1', 'p:concurrent:a', '60000', first, second],
      ['eval', '1', 'p:concurrent:b', '60000', third],
    ]);
    releases[0]?.();
    releases[2]?.();
    await eventually(() => asked.length === 2);
    asked.length = 0;
    renew();
    await eventually(() => asked.length === 1);
    expect(asked.splice(0)).toEqual([['eval', '1', 'p:concurrent:a', '60000', second]]);
    releases[1]?.();
    await eventually(() => asked.length === 1);
    renew();
    await places.take('c', 1);
    expect(asked.map(([name, , last]) => [name, last])).toEqual([
      ['zrem', second],
      ['eval', 'p:concurrent:c'],
    ]);
  });

  it('count in this process while the Redis refuses', async () => {
    const { asked, state, counters } = await openServer();
    const places = counters.places('concurrent');
    state.script = '-ERR away';
    const release = await places.take('key', 1);
    expect(release).toBeDefined();
    expect(await places.take('key', 1)).toBeUndefined();
    release?.();
    expect(await places.take('key', 1)).toBeDefined();
    expect(asked.filter(([name]) => name === 'eval')).toHaveLength(3);
  });
});
