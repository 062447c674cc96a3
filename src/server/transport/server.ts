/**
 * Listens, and stops listening without dropping requests in progress.
 *
 * Takes: a request handler. Gives: an address and a way to drain. Must not know: what is served.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from '../../host/log.ts';
import { createLoopTurns } from '../admission/loop-turns.ts';
import { refuseBrokenRequest, refuseTunnel } from './broken-request.ts';
import {
  type Connections,
  createConnections,
  type Exchange,
  type Surplus,
  watchReaders,
} from './connections.ts';

/** Time for a client to send headers and body. */
const RECEIVE_MS = 30_000;
/** Longest interval of the check for requests that take longer. */
const RECEIVE_CHECK_MS = 1000;
/** A connection that waits for its next request: longer than the 60 s after which proxies usually close it themselves. */
export const KEEP_ALIVE_MS = 75_000;
/** Interval of the check for idle connections while the server drains. */
const SWEEP_MS = 50;
/** Longest wait for an empty queue of the socket, and a turn of the event loop in which little can have arrived behind it. */
const ACCEPT_MS = 500;
const SHORT_TURN_MS = 2;
/** Time for a request on a new connection to arrive when the server starts to drain. */
const FIRST_REQUEST_MS = 500;
/**
 * Time for the rest of a body whose request has been answered. Closing the connection at once can lose the answer: the client's
 * system discards received data when its own bytes are refused.
 */
const LINGER_MS = 2000;
/** A client that takes none of the bytes of its answer for this time, or twice that, is disconnected. */
const STALL_MS = 30_000;
const STALL_CHECK_MS = 1000;
/** After this number of requests a connection is closed, so that a balancer can send the next one to another server. */
const MAX_REQUESTS = 1000;

export interface RunningServer {
  /** `http://host:port` for clients. */
  readonly url: string;
  /** Accepts nothing more, lets running requests finish for up to `patienceMs`, then closes the rest. */
  drain(patienceMs: number): Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly log: Logger;
  /** Time for a client to send headers and body; 30 seconds. */
  readonly receiveMs?: number;
  /** Time for the rest of a body whose request has been answered; 2 seconds. */
  readonly lingerMs?: number;
  /** Time for a client to take some bytes of its answer; 30 seconds. */
  readonly stallMs?: number;
  /** Time after which an idle connection is closed, ms; 0 never closes it. */
  readonly keepAliveMs?: number;
  /** Largest number of open connections; no limit by default. */
  readonly maxConnections?: number;
  /** Called for each connection above the limit. */
  readonly onSurplus?: (surplus: Surplus) => void;
  /** Whether a key is valid; none is by default. */
  readonly knowsKey?: (key: string) => boolean;
  /** Requests on one connection; 1000. */
  readonly maxRequestsPerSocket?: number;
}

/** Starts to listen. Rejects if the address is not available. */
export async function listen(handler: RequestListener, options: ListenOptions): Promise<RunningServer> {
  const {
    host,
    port,
    log,
    receiveMs = RECEIVE_MS,
    lingerMs = LINGER_MS,
    stallMs = STALL_MS,
    keepAliveMs = KEEP_ALIVE_MS,
    maxConnections = Number.POSITIVE_INFINITY,
    onSurplus = () => {},
    knowsKey = () => false,
    maxRequestsPerSocket = MAX_REQUESTS,
  } = options;
  const connections = createConnections(maxConnections, onSurplus);
  const turns = createLoopTurns();
  const server = createServer({
    requestTimeout: receiveMs,
    headersTimeout: receiveMs,
    connectionsCheckingInterval: Math.min(receiveMs, RECEIVE_CHECK_MS),
    keepAliveTimeout: keepAliveMs,
    // The application refuses these, with an id and a line of the log.
    requireHostHeader: false,
  });
  const serve: RequestListener = (request, response) => {
    const rank = connections.begin({ request, response });
    turns.take(callerOf(request, knowsKey), () => {
      // Node emits no `close` on pipelined responses after the first of a connection.
      if (request.socket.destroyed) return;
      if (!server.listening || rank >= maxRequestsPerSocket) response.setHeader('Connection', 'close');
      handler(request, response);
    });
    response.once('close', () => {
      if (!request.complete) closeAfterAnswer(request, lingerMs);
    });
  };
  // Their bytes are limited. Above its limit of 1,000 Node leaves headers out, also those of a key or of the length.
  server.maxHeadersCount = 0;
  server.on('request', serve);
  // Without a listener Node answers an unknown expectation with a 417 without a body.
  server.on('checkExpectation', serve);
  // Without a listener Node closes the connection without an answer.
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => refuseTunnel(socket, log));
  server.on('connection', connections.add);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
    refuseAfterAnswers(error, socket, connections.underWay(socket), log),
  );
  const watch = setInterval(() => watchReaders(connections, stallMs), Math.min(stallMs, STALL_CHECK_MS));
  watch.unref();
  server.once('close', () => clearInterval(watch));
  server.listen(port, host);
  await once(server, 'listening');
  return { url: urlOf(server), drain: patienceMs => drain(server, connections, patienceMs, log) };
}

/**
 * The caller for taking turns: a valid key, or the address of a client without one. Were any key a caller, requests with a new one
 * each would always come first.
 */
function callerOf({ headers, socket }: IncomingMessage, knowsKey: (key: string) => boolean): string {
  const key = headers['x-api-key'];
  return typeof key === 'string' && knowsKey(key) ? key : String(socket.remoteAddress);
}

/** Connections whose request was answered before the end of its body: they get no more answers. */
const answered = new WeakSet<Duplex>();
/** Connections that have sent unreadable data; one refusal each. */
const broken = new WeakSet<Duplex>();

/** Waits for the rest of the body, then closes the connection: without the end of the body the next request cannot be found. */
function closeAfterAnswer(request: IncomingMessage, lingerMs: number): void {
  const { socket } = request;
  answered.add(socket);
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
  request.once('end', () => {
    clearTimeout(timer);
    answered.delete(socket);
  });
  request.resume();
}

/** Refuses unreadable data after the requests before it have been answered. */
function refuseAfterAnswers(
  error: NodeJS.ErrnoException,
  socket: Socket,
  exchanges: ReadonlySet<Exchange>,
  log: Logger,
): void {
  if (broken.has(socket)) return;
  broken.add(socket);
  if (answered.has(socket)) {
    socket.destroy();
    return;
  }
  const unfinished = [...exchanges].find(({ request }) => !request.complete)?.response;
  const before = [...exchanges].filter(({ request }) => request.complete);
  if (before.length === 0) {
    refuseBrokenRequest(error, socket, unfinished, log);
    return;
  }
  let left = before.length;
  for (const { response } of before)
    response.once('close', () => {
      left--;
      if (left === 0) refuseBrokenRequest(error, socket, unfinished, log);
    });
}

async function drain(
  server: Server,
  connections: Connections,
  patienceMs: number,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  await untilAccepted(server);
  const closed = new Promise<void>(resolve => server.close(() => resolve()));
  // A keep-alive connection would prevent the server from closing after its last answer.
  for (const [, exchanges] of connections)
    for (const { response } of exchanges)
      if (!response.headersSent) response.setHeader('Connection', 'close');
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  // Node does not count a connection without any request as idle.
  const cut = setTimeout(() => {
    for (const [socket, exchanges] of connections) if (exchanges.size === 0) socket.destroy();
  }, FIRST_REQUEST_MS);
  const giveUp = setTimeout(() => {
    const requests = [...connections].reduce((sum, [, exchanges]) => sum + exchanges.size, 0);
    if (requests > 0)
      log.warn({ requests }, 'requests had not ended when the time of the stop was over; they are aborted');
    server.closeAllConnections();
  }, patienceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
  clearTimeout(giveUp);
}

/**
 * Waits until the queue of the socket is empty: the kernel would reset connections that it has accepted and this process has not.
 *
 * A short turn of the event loop without a new connection has seen an empty queue. Where connections never cease, the wait ends.
 */
async function untilAccepted(server: Server): Promise<void> {
  let accepted = 0;
  const count = () => {
    accepted += 1;
  };
  server.on('connection', count);
  const end = performance.now() + ACCEPT_MS;
  // The first turn may begin behind the place where connections are accepted.
  for (let turns = 0; performance.now() < end; turns++) {
    const [before, begin] = [accepted, performance.now()];
    await nextTurn();
    if (turns > 0 && accepted === before && performance.now() - begin < SHORT_TURN_MS) break;
  }
  server.removeListener('connection', count);
}

function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  const anyAddress = address === '0.0.0.0' || address === '::';
  const host = anyAddress ? '127.0.0.1' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}`;
}
