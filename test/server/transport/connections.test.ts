/** How many connections a server takes, and which it closes when there are more. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createLogger } from '#src/host/log.js';
import { type Surplus, watchReaders } from '#src/server/transport/connections.js';
import { type ListenOptions, listen, type RunningServer } from '#src/server/transport/server.js';
import { eventually } from '../../support/eventually.ts';

let server: RunningServer | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server?.drain(100);
});

/** A server whose answers a test gives; `asked` are the paths of requests that have begun. */
async function openServer(options: Partial<ListenOptions>) {
  const asked: string[] = [];
  const answers = new Map<string, () => void>();
  const surplus: Surplus[] = [];
  server = await listen(
    (request, response) => {
      const path = request.url ?? '';
      asked.push(path);
      answers.set(path, () => response.end(path));
      if (path.startsWith('/now')) response.end(path);
      if (path === '/break') request.socket.destroy();
    },
    {
      host: '127.0.0.1',
      port: 0,
      log: createLogger('silent'),
      keepAliveMs: 0,
      onSurplus: which => surplus.push(which),
      ...options,
    },
  );
  return { asked, surplus, answer: (path: string) => answers.get(path)?.() };
}

/** A connection, and all that has come on it. */
async function open() {
  const socket = connect(Number(new URL(server?.url ?? '').port), '127.0.0.1');
  sockets.push(socket);
  const seen = { text: '', closed: false };
  socket.on('data', data => {
    seen.text += data;
  });
  socket.on('error', () => {});
  socket.once('close', () => {
    seen.closed = true;
  });
  await once(socket, 'connect');
  const send = (text: string) => socket.write(text);
  return { seen, send, ask: (path: string) => send(`GET ${path} HTTP/1.1\r\nHost: here\r\n\r\n`) };
}

describe('A server at its limit of connections', () => {
  it('closes the one that has been idle for longest, so that a new one is served', async () => {
    const { asked, surplus, answer } = await openServer({ maxConnections: 3 });
    const busy = await open();
    busy.ask('/busy');
    await eventually(() => asked.includes('/busy'));
    const early = await open();
    early.ask('/now/early');
    await eventually(() => early.seen.text.includes('/now/early'));
    const idle = await open();
    idle.ask('/now/idle');
    await eventually(() => idle.seen.text.includes('/now/idle'));
    // Its answer was the last: now the other one is silent for longer.
    early.ask('/now/again');
    await eventually(() => early.seen.text.includes('/now/again'));
    const fresh = await open();
    fresh.ask('/now/fresh');
    await eventually(() => fresh.seen.text.includes('/now/fresh') && idle.seen.closed);
    answer('/busy');
    await eventually(() => busy.seen.text.includes('/busy'));
    expect([busy.seen.closed, early.seen.closed, surplus]).toEqual([false, false, ['silent']]);
  });

  it('serves hundreds of connections after hundreds that send nothing', async () => {
    const { surplus } = await openServer({ maxConnections: 8 });
    for (let i = 0; i < 200; i++) await open();
    const fresh = await open();
    fresh.ask('/now');
    await eventually(() => fresh.seen.text.includes('/now'));
    expect(surplus).toEqual(Array(193).fill('silent'));
  });

  it('closes a new one where each has a request in progress', async () => {
    const { asked, surplus, answer } = await openServer({ maxConnections: 2 });
    const busy = [await open(), await open()];
    busy.forEach(({ ask }, i) => {
      ask(`/busy/${i}`);
    });
    await eventually(() => asked.length === 2);
    const refused = await open();
    await eventually(() => refused.seen.closed);
    expect([surplus, busy.map(({ seen }) => seen.closed)]).toEqual([['refused'], [false, false]]);
    answer('/busy/0');
    await eventually(() => busy[0].seen.text.includes('/busy/0'));
    const next = await open();
    next.ask('/now');
    await eventually(() => next.seen.text.includes('/now') && busy[0].seen.closed);
  });
});

describe('A connection', () => {
  it('is closed with the answer to its last allowed request', async () => {
    await openServer({ maxRequestsPerSocket: 3 });
    const { ask, seen } = await open();
    for (const path of ['/now/1', '/now/2', '/now/3']) {
      ask(path);
      await eventually(() => seen.text.includes(path));
    }
    await eventually(() => seen.closed);
    expect(seen.text.match(/connection: \S+/gi)).toEqual([
      'Connection: keep-alive',
      'Connection: keep-alive',
      'Connection: close',
    ]);
  });

  it('that is closed starts hardly any of its waiting requests', async () => {
    const { asked } = await openServer({});
    const { send } = await open();
    // All in one read: one begins at once and closes the connection, the others wait for their turns.
    const paths = ['/break', ...Array.from({ length: 49 }, (_, i) => `/${i}`)];
    send(paths.map(path => `GET ${path} HTTP/1.1\r\nHost: here\r\n\r\n`).join(''));
    await eventually(() => asked.includes('/break'));
    const { ask, seen } = await open();
    ask('/now');
    await eventually(() => seen.text.includes('/now'));
    expect(asked.length, asked.join(' ')).toBeLessThan(10);
  });
});

describe('A caller with a valid key', () => {
  it('takes turns with a client that sends a new key with each request', async () => {
    const { asked } = await openServer({ knowsKey: key => key === 'valid' });
    const [{ send }, caller] = [await open(), await open()];
    const flood = Array.from(
      { length: 200 },
      (_, i) => `GET /${i} HTTP/1.1\r\nHost: here\r\nx-api-key: ${i}\r\n\r\n`,
    );
    // Both are written before the server reads either.
    send(flood.join(''));
    for (const path of ['/now/1', '/now/2', '/now/3'])
      caller.send(`GET ${path} HTTP/1.1\r\nHost: here\r\nx-api-key: valid\r\n\r\n`);
    await eventually(() => caller.seen.text.includes('/now/3'));
    expect(asked.indexOf('/now/3'), asked.join(' ')).toBeLessThan(30);
  });
});

describe('A client that reads nothing', () => {
  it('is disconnected, and makes room for others', async () => {
    const held: ServerResponse[] = [];
    server = await listen(
      (_, response) => {
        held.push(response);
        // More than the buffers of a connection.
        response.end(Buffer.alloc(2 ** 26));
      },
      { host: '127.0.0.1', port: 0, log: createLogger('silent'), stallMs: 50 },
    );
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => {});
    socket.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
    await eventually(() => held.length === 1);
    await once(held[0], 'close');
    let bytes = 0;
    socket.on('data', data => {
      bytes += data.length;
    });
    await once(socket, 'close');
    expect(bytes).toBeLessThan(2 ** 26);
  });

  it('has a time limit while bytes wait for it, and others have none', () => {
    const limits: number[] = [];
    const socket = {
      writableLength: 5,
      timeout: 0,
      setTimeout(limit: number) {
        socket.timeout = limit;
        limits.push(limit);
      },
    };
    const watch = (exchanges: number) =>
      watchReaders([[socket as never, new Set(Array(exchanges).keys())]], 30_000);
    watch(1);
    watch(1);
    expect(limits).toEqual([30_000]);
    socket.writableLength = 0;
    watch(1);
    watch(1);
    expect(limits).toEqual([30_000, 0]);
    // The limit of an idle connection is that of Node.
    socket.timeout = 75_000;
    watch(0);
    socket.timeout = 30_000;
    watch(0);
    expect(limits).toEqual([30_000, 0]);
    socket.writableLength = 1;
    socket.timeout = 75_000;
    watch(2);
    expect(limits).toEqual([30_000, 0, 30_000]);
  });
});
