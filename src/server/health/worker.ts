/** The health thread: a small server, independent of the event loop of the process. */
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import type { FromHealthThread, HealthAddress, ToHealthThread } from './health-port.ts';
import { createJudgement } from './judgement.ts';

/** Every answer closes its connection, so the oldest connection is one without a request. */
const MAX_CONNECTIONS = 32;
const RECEIVE_MS = 5000;

const judgement = createJudgement(() => performance.now());
const send = (message: FromHealthThread) => parentPort?.postMessage(message);

parentPort?.on('message', (obstacles: ToHealthThread) => judgement.report(obstacles));

const PATHS: ReadonlyMap<string | undefined, () => { status: number; body: unknown }> = new Map([
  ['/livez', judgement.live],
  ['/readyz', judgement.ready],
]);

const server = createServer(
  { requestTimeout: RECEIVE_MS, headersTimeout: RECEIVE_MS, connectionsCheckingInterval: 1000 },
  ({ url, method }, response) => {
    const answer = PATHS.get(url);
    const allowed = method === 'GET' || method === 'HEAD';
    const { status, body } =
      answer === undefined
        ? { status: 404, body: { status: 'not found', paths: [...PATHS.keys()] } }
        : allowed
          ? answer()
          : { status: 405, body: { status: 'method not allowed' } };
    response.writeHead(status, {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      Connection: 'close',
      ...(status === 405 ? { Allow: 'GET, HEAD' } : {}),
    });
    response.end(JSON.stringify(body));
  },
);
const open = new Set<Socket>();
server.on('connection', socket => {
  if (open.size >= MAX_CONNECTIONS) for (const oldest of [...open].slice(0, 1)) oldest.destroy();
  open.add(socket);
  socket.once('close', () => open.delete(socket));
});
const { host, port } = workerData as HealthAddress;
server.once('error', error => send({ kind: 'failed', message: error.message }));
server.listen({ host, port, exclusive: true }, () =>
  send({ kind: 'listening', port: (server.address() as AddressInfo).port }),
);
