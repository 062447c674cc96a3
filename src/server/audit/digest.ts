/** Digests of requests and answers, in the form of RFC 9530: `sha-256=:<base64>:`. */
import { createHash } from 'node:crypto';

/** Longer texts are hashed outside the event loop. */
const LONG_BYTES = 2 ** 18;

const fieldOf = (digest: Uint8Array) => `sha-256=:${Buffer.from(digest).toString('base64')}:`;

export async function digestOf(bytes: Uint8Array): Promise<string> {
  if (bytes.length < LONG_BYTES) return fieldOf(createHash('sha256').update(bytes).digest());
  return fieldOf(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)));
}

/** The digest of a text that comes in pieces. */
export function digestOfPieces() {
  const hash = createHash('sha256');
  return {
    add: (piece: string) => void hash.update(piece),
    end: () => fieldOf(hash.digest()),
  };
}

const MEMBER = /(?:^|,)\s*sha-256\s*=\s*:([A-Za-z0-9+/=]*):\s*(?:;[^,]*)?(?=,|$)/;

/** Whether a header `Content-Digest` states another SHA-256 than `digest`; other algorithms are not checked. */
export function contradicts(header: string | undefined, digest: string): boolean {
  const stated = MEMBER.exec(header ?? '')?.[1];
  return stated !== undefined && `sha-256=:${stated}:` !== digest;
}
