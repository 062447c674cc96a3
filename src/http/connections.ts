/**
 * The connections of a server: which are idle, and which is closed when there are too many.
 *
 * A connection is idle while no request on it waits for its answer. Must not know: what is served.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

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

const NONE: ReadonlySet<Exchange> = new Set();

/**
 * @param most connections at the same time
 * @param onSurplus called for each connection above the limit
 */
export function createConnections(most: number, onSurplus: (surplus: Surplus) => void) {
  /** Idle connections, the one idle for longest first. */
  const open = new Map<Duplex, Connection>();

  function oldestSilent(): Duplex | undefined {
    for (const [socket, { exchanges }] of open) if (exchanges.size === 0) return socket;
    return undefined;
  }

  return {
    /**
     * Counts a new connection until it is closed. If there are `most` already, closes the one that has been idle for longest, or the
     * new one if none is idle.
     */
    add(socket: Duplex): void {
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
    underWay: (socket: Duplex): ReadonlySet<Exchange> => open.get(socket)?.exchanges ?? NONE,
    *[Symbol.iterator](): Generator<readonly [Duplex, ReadonlySet<Exchange>]> {
      for (const [socket, { exchanges }] of open) yield [socket, exchanges] as const;
    },
  };
}
