/**
 * Requests that do not reach the application: unreadable HTTP, incomplete requests and CONNECT. Each is answered with a problem
 * document with an id, and logged.
 */
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from '../../host/log.ts';
import { HttpRefusal, problemBody, problemOf } from '../answers/problem.ts';
import { METHODS } from './context.ts';

const NOT_READABLE = new HttpRefusal(400, 'The request is not readable HTTP.');
const NO_TUNNEL = new HttpRefusal(405, 'This server does not support the method CONNECT.', {
  Allow: METHODS.join(', '),
});
/** By the code of Node's error. */
const REFUSALS: Readonly<Record<string, HttpRefusal>> = {
  HPE_HEADER_OVERFLOW: new HttpRefusal(431, 'The headers of the request are too large.'),
  ERR_HTTP_REQUEST_TIMEOUT: new HttpRefusal(408, 'The request was not sent completely in time.'),
};

const ENDED_BY_CLIENT = 'HPE_INVALID_EOF_STATE';

const refused = new WeakMap<Duplex, HttpRefusal>();

/** The answer to a request whose body could not be read. */
export const refusalOn = (socket: Duplex): HttpRefusal | undefined => refused.get(socket);

/**
 * Answers and closes a connection that Node cannot read.
 *
 * @param response of the request whose rest cannot be read: its id is used, and the application, which set it, logs the refusal
 */
export function refuseBrokenRequest(
  error: NodeJS.ErrnoException,
  socket: Socket,
  response: ServerResponse | undefined,
  log: Logger,
): void {
  // The connection is closed, or an answer is partly sent.
  if (error.code === 'ECONNRESET' || !socket.writable || response?.headersSent) {
    socket.destroy();
    return;
  }
  const named = response?.getHeader('x-request-id');
  const requestId = String(named ?? randomUUID());
  const refusal = REFUSALS[error.code ?? ''] ?? NOT_READABLE;
  if (named === undefined)
    log.info({ request_id: requestId, status: refusal.status, reason: error.code }, 'refused unread');
  if (error.code !== ENDED_BY_CLIENT) refused.set(socket, refusal);
  answer(socket, refusal, requestId);
}

/** Answers CONNECT, which does not reach the application. */
export function refuseTunnel(socket: Duplex, log: Logger): void {
  const requestId = randomUUID();
  log.info({ request_id: requestId, method: 'CONNECT', status: NO_TUNNEL.status }, 'refused unread');
  socket.on('error', () => {});
  answer(socket, NO_TUNNEL, requestId);
}

function answer(socket: Duplex, refusal: HttpRefusal, requestId: string): void {
  const problem = problemOf(refusal);
  const body = problemBody(problem, requestId);
  const headers = {
    'Content-Type': 'application/problem+json',
    ...problem.headers,
    'x-request-id': requestId,
    'Cache-Control': 'no-store',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${problem.status} ${problem.title}\r\n${lines.join('')}\r\n${body}`);
}
