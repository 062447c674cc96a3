/**
 * The connections of a server: which are idle, and which is closed when there are too many.
 *
 * A connection is idle while no request on it waits for its answer. Must not know: what is served.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A request and its response. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The connection that was closed above the limit: the one idle for longest, or the new one. */
export type Surplus = 'silent' | 'refused';

export type Connections = ReturnType<typeof createConnections>;

interface Connection {
  readonly exchanges: Set<Exchange>;
  requests: number;
}

/** What `watchReaders` uses of a socket. */
type TimedSocket = Pick<Socket, 'writableLength' | 'timeout' | 'setTimeout'>;

/**
 * Gives a socket whose client has not taken all bytes a time limit, and removes that of others that wait for an answer. Node closes the
 * connection at the limit, unless some of the bytes were taken since: a client that reads nothing would keep its connection, and the
 * bytes, for ever. Called periodically.
 */
export function watchReaders(
  connections: Iterable<readonly [TimedSocket, ReadonlySet<unknown>]>,
  stallMs: number,
): void {
  for (const [socket, exchanges] of connections) {
    // Node closes an idle one by itself.
    if (exchanges.size === 0) continue;
    const waits = socket.writableLength > 0;
    if (waits && socket.timeout !== stallMs) socket.setTimeout(stallMs);
    else if (!waits && socket.timeout === stallMs) socket.setTimeout(0);
  }
}

const NONE: ReadonlySet<Exchange> = new Set();

/**
 * @param most connections at the same time
 * @param onSurplus called for each connection above the limit
 */
export function createConnections(most: number, onSurplus: (surplus: Surplus) => void) {
  /** Idle connections, the one idle for longest first. */
  const open = new Map<Socket, Connection>();

  function oldestSilent(): Socket | undefined {
    for (const [socket, { exchanges }] of open) if (exchanges.size === 0) return socket;
    return undefined;
  }

  return {
    /**
     * Counts a new connection until it is closed. If there are `most` already, closes the one that has been idle for longest, or the
     * new one if none is idle.
     */
    add(socket: Socket): void {
      if (open.size >= most) {
        const silent = oldestSilent();
        onSurplus(silent === undefined ? 'refused' : 'silent');
        (silent ?? socket).destroy();
        if (silent === undefined) return;
        open.delete(silent);
      }
      open.set(socket, { exchanges: new Set(), requests: 0 });
      socket.once('close', () => open.delete(socket));
    },
    /** Counts an exchange until its response is closed. @returns which request of its connection it is, from 1 */
    begin(exchange: Exchange): number {
      const { socket } = exchange.request;
      const connection = open.get(socket);
      if (connection === undefined) return 1;
      connection.exchanges.add(exchange);
      connection.requests += 1;
      exchange.response.once('close', () => {
        connection.exchanges.delete(exchange);
        // From now on it is idle: the last of these.
        if (connection.exchanges.size === 0 && open.delete(socket)) open.set(socket, connection);
      });
      return connection.requests;
    },
    /** Exchanges in progress: several where requests are pipelined. */
    underWay: (socket: Socket): ReadonlySet<Exchange> => open.get(socket)?.exchanges ?? NONE,
    *[Symbol.iterator](): Generator<readonly [Socket, ReadonlySet<Exchange>]> {
      for (const [socket, { exchanges }] of open) yield [socket, exchanges] as const;
    },
  };
}
