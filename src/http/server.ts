/**
 * Listens, and stops listening without dropping what is under way.
 *
 * Takes: a request handler. Gives: an address and a way to drain. Must not know: what is served.
 */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** Time for a caller to send headers and body. */
const RECEIVE_MS = 30_000;
/** How often connections that have gone idle are looked for while the server drains. */
const SWEEP_MS = 50;

export interface RunningServer {
  /** `http://host:port` as it can be called. */
  readonly url: string;
  /** Accepts nothing more, lets running requests finish for up to `patienceMs`, then closes all that is left. */
  drain(patienceMs: number): Promise<void>;
}

/** Starts to listen. Rejects where the address cannot be had. */
export async function listen(handler: RequestListener, host: string, port: number): Promise<RunningServer> {
  const running = new Set<ServerResponse>();
  const server = createServer(
    { requestTimeout: RECEIVE_MS, headersTimeout: RECEIVE_MS },
    (request, response) => {
      running.add(response);
      response.once('close', () => running.delete(response));
      if (!server.listening) response.setHeader('Connection', 'close');
      handler(request, response);
    },
  );
  server.on('clientError', refuseBrokenRequest);
  server.listen(port, host);
  await once(server, 'listening');
  return { url: urlOf(server), drain: patienceMs => drain(server, running, patienceMs) };
}

async function drain(server: Server, running: Set<ServerResponse>, patienceMs: number): Promise<void> {
  const closed = new Promise<void>(resolve => server.close(() => resolve()));
  // A connection that is kept alive would hold the server open after its last answer.
  for (const response of running) if (!response.headersSent) response.setHeader('Connection', 'close');
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const giveUp = setTimeout(() => server.closeAllConnections(), patienceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(giveUp);
}

function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  const anyAddress = address === '0.0.0.0' || address === '::';
  const host = anyAddress ? '127.0.0.1' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}`;
}

const PARSE_FAILURES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** What is no HTTP never reaches the application; it is answered as a problem document all the same. */
function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const line = PARSE_FAILURES[error.code ?? ''] ?? '400 Bad Request';
  const [status, ...title] = line.split(' ');
  const body = JSON.stringify({
    type: 'about:blank',
    title: title.join(' '),
    status: Number(status),
    detail: 'The request is not readable HTTP.',
    errors: [],
  });
  socket.end(
    `HTTP/1.1 ${line}\r\nContent-Type: application/problem+json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
