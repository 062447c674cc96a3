/**
 * Keys of callers: stored as SHA-256 digests, compared in constant time.
 *
 * Keys are random, so that a slow password hash is not needed. Must not know: where keys are configured, what they permit.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const GENERATED_BYTES = 24;
const DIGEST_BYTES = 32;

/** SHA-256 of a key. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** A new random key of 192 bits. */
export function generateKey(): string {
  return randomBytes(GENERATED_BYTES).toString('base64url');
}

/**
 * A check of keys against the digests `keyHashes` (hexadecimal), which returns the digest of a valid key.
 * It compares every digest with every key, a missing one included, so that its time reveals nothing.
 */
export function createKeyCheck(
  keyHashes: readonly string[],
): (sent: string | undefined) => string | undefined {
  const known = keyHashes.map(hash => Buffer.from(hash, 'hex'));
  if (known.some(digest => digest.length !== DIGEST_BYTES))
    throw new RangeError('A key digest has 32 bytes.');
  return sent => {
    const digest = hashKey(sent ?? '');
    let matches = 0;
    for (const each of known) matches += Number(timingSafeEqual(each, digest));
    return matches > 0 && sent !== undefined ? digest.toString('hex') : undefined;
  };
}
