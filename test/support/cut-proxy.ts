/** A TCP proxy in front of a store, so that one process can be cut off from it. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A connection that can be cut. */
export interface CutProxy {
  readonly port: number;
  /** Closes every connection and takes none for so long. */
  cut(milliseconds: number): Promise<void>;
  /** From now on nothing passes, and every connection stays open, as at a host that has lost its network. */
  freeze(): void;
  close(): Promise<void>;
}

export async function openProxy(port: number): Promise<CutProxy> {
  const sockets = new Set<Socket>();
  let isCut = false;
  let isFrozen = false;
  const server = createServer(from => {
    if (isCut) {
      from.destroy();
      return;
    }
    if (isFrozen) {
      sockets.add(from.on('error', () => {}));
      return;
    }
    const to = connect(port, '127.0.0.1');
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as { readonly port: number }).port,
    async cut(milliseconds) {
      isCut = true;
      for (const socket of sockets) socket.destroy();
      await sleep(milliseconds);
      isCut = false;
    },
    freeze() {
      isFrozen = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
