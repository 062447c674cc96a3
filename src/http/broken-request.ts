/**
 * Requests that do not reach the application: unreadable HTTP, incomplete requests and CONNECT. Each is answered with a problem
 * document with an id, and logged.
 *
 * Must not know: what is served.
 */
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from '../log.ts';

interface Refusal {
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  /** Further header lines, each with its end. */
  readonly headers?: string;
}

const NOT_READABLE: Refusal = {
  status: 400,
  title: 'Bad Request',
  detail: 'The request is not readable HTTP.',
};
const NO_TUNNEL: Refusal = {
  status: 405,
  title: 'Method Not Allowed',
  detail: 'This server does not support the method CONNECT.',
  headers: 'Allow: GET, HEAD, POST\r\n',
};
const REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    title: 'Request Header Fields Too Large',
    detail: 'The headers of the request are too large.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    title: 'Request Timeout',
    detail: 'The request was not sent completely in time.',
  },
};

/**
 * Answers and closes a connection that Node cannot read.
 *
 * @param response of the request whose rest cannot be read; its id is used
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
  const requestId = String(response?.getHeader('x-request-id') ?? randomUUID());
  const refusal = REFUSALS[error.code ?? ''] ?? NOT_READABLE;
  log.info({ request_id: requestId, status: refusal.status, reason: error.code }, 'refused unread');
  answer(socket, refusal, requestId);
}

/** Answers CONNECT, which does not reach the application. */
export function refuseTunnel(socket: Duplex, log: Logger): void {
  const requestId = randomUUID();
  log.info({ request_id: requestId, method: 'CONNECT', status: NO_TUNNEL.status }, 'refused unread');
  socket.on('error', () => {});
  answer(socket, NO_TUNNEL, requestId);
}

function answer(socket: Duplex, { status, title, detail, headers = '' }: Refusal, requestId: string): void {
  const body = JSON.stringify({
    type: 'about:blank',
    title,
    status,
    detail,
    errors: [],
    request_id: requestId,
  });
  socket.end(
    `HTTP/1.1 ${status} ${title}\r\nContent-Type: application/problem+json\r\n${headers}` +
      `x-request-id: ${requestId}\r\nCache-Control: no-store\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
