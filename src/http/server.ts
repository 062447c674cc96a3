/**
 * Listens, and stops listening without dropping what is under way.
 *
 * Takes: a request handler. Gives: an address and a way to drain. Must not know: what is served.
 */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Logger } from '../log.ts';
import { refuseBrokenRequest } from './broken-request.ts';

/** Time for a caller to send headers and body. */
const RECEIVE_MS = 30_000;
/** How often requests that take longer are looked for. */
const RECEIVE_CHECK_MS = 1000;
/** A connection that waits for its next request: longer than the 60 s after which proxies usually close it themselves. */
const KEEP_ALIVE_MS = 75_000;
/** How often connections that have gone idle are looked for while the server drains. */
const SWEEP_MS = 50;
/** For a request that is on its way on a new connection while the server begins to drain. */
const FIRST_REQUEST_MS = 500;

export interface RunningServer {
  /** `http://host:port` as it can be called. */
  readonly url: string;
  /** Accepts nothing more, lets running requests finish for up to `patienceMs`, then closes all that is left. */
  drain(patienceMs: number): Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly log: Logger;
  /** Time for a caller to send headers and body; 30 seconds. */
  readonly receiveMs?: number;
}

/** Connections, and the response that is under way on each. */
type Connections = Map<Socket, ServerResponse | undefined>;

/** Starts to listen. Rejects where the address cannot be had. */
export async function listen(handler: RequestListener, options: ListenOptions): Promise<RunningServer> {
  const { host, port, log, receiveMs = RECEIVE_MS } = options;
  const connections: Connections = new Map();
  const server = createServer({
    requestTimeout: receiveMs,
    headersTimeout: receiveMs,
    connectionsCheckingInterval: RECEIVE_CHECK_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Refused by the application, with an id and a line of the log.
    requireHostHeader: false,
  });
  const serve: RequestListener = (request, response) => {
    const { socket } = request;
    connections.set(socket, response);
    response.once('close', () => {
      if (connections.get(socket) === response) connections.set(socket, undefined);
    });
    if (!server.listening) response.setHeader('Connection', 'close');
    handler(request, response);
  };
  server.on('request', serve);
  // Without a listener Node answers an expectation it does not know with a bare 417.
  server.on('checkExpectation', serve);
  server.on('connection', (socket: Socket) => {
    connections.set(socket, undefined);
    socket.once('close', () => connections.delete(socket));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
    refuseBrokenRequest(error, socket, connections.get(socket), log),
  );
  server.listen(port, host);
  await once(server, 'listening');
  return { url: urlOf(server), drain: patienceMs => drain(server, connections, patienceMs) };
}

async function drain(server: Server, connections: Connections, patienceMs: number): Promise<void> {
  const closed = new Promise<void>(resolve => server.close(() => resolve()));
  // A connection that is kept alive would hold the server open after its last answer.
  for (const response of connections.values())
    if (response?.headersSent === false) response.setHeader('Connection', 'close');
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  // Node does not count a connection on which nothing was ever sent as idle.
  const cut = setTimeout(() => {
    for (const [socket, response] of connections) if (response === undefined) socket.destroy();
  }, FIRST_REQUEST_MS);
  const giveUp = setTimeout(() => server.closeAllConnections(), patienceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
  clearTimeout(giveUp);
}

function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  const anyAddress = address === '0.0.0.0' || address === '::';
  const host = anyAddress ? '127.0.0.1' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}`;
}
