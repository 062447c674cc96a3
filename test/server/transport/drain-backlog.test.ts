/** Connections that the kernel has accepted before a stop, and this process has not, are served. */
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { createLogger } from '#src/host/log.js';
import { listen } from '#src/server/transport/server.js';

const CALLERS = 20;

/** Sends requests on connections of their own, says when they are connected, then gives the answers. */
const CLIENT = `
const { createConnection } = require('node:net');
const { parentPort, workerData: { port, callers, shared } } = require('node:worker_threads');
const flag = new Int32Array(shared);
let connected = 0;
const answers = Array.from({ length: callers }, () => new Promise(resolve => {
  let text = '';
  const socket = createConnection(port, '127.0.0.1', () => {
    socket.write('GET / HTTP/1.1\\r\\nHost: here\\r\\n\\r\\n', () => {
      connected += 1;
      if (connected === callers) { Atomics.store(flag, 0, 1); Atomics.notify(flag, 0); }
    });
  });
  socket.on('data', piece => { text += piece; });
  socket.on('error', error => resolve(error.code));
  socket.on('close', () => resolve(text.split('\\r\\n', 1)[0]));
}));
Promise.all(answers).then(all => parentPort.postMessage(all));
`;

it('A stop serves what waits in the queue of the socket', async () => {
  const server = await listen((_, response) => response.end('served'), {
    ...{ host: '127.0.0.1', port: 0, log: createLogger('silent') },
  });
  const shared = new SharedArrayBuffer(4);
  const workerData = { port: Number(new URL(server.url).port), callers: CALLERS, shared };
  const worker = new Worker(CLIENT, { eval: true, workerData });
  await new Promise(resolve => worker.once('online', resolve));
  const answers = new Promise<string[]>(resolve => worker.once('message', resolve));
  // This thread accepts nothing while it stands still.
  Atomics.wait(new Int32Array(shared), 0, 0);
  await server.drain(5000);
  expect(await answers).toEqual(Array(CALLERS).fill('HTTP/1.1 200 OK'));
});
