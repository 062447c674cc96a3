/**
 * Bytes to JSON: strict UTF-8, strict JSON, or a refusal that says where.
 *
 * Must not know: what the JSON should hold.
 */
import { HttpRefusal } from './problem.ts';

// A byte order mark is kept, which JSON.parse refuses (RFC 8259, section 8.1).
const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The value and the text of some bytes.
 *
 * @param what how messages call the bytes: `body`, `line`
 * @throws HttpRefusal 400
 */
export function decodeJson(bytes: Uint8Array, what: string): { value: unknown; text: string } {
  const text = decodeText(bytes, what);
  try {
    return { value: JSON.parse(text), text };
  } catch (error) {
    const place = error instanceof Error ? (/ at position \d+/.exec(error.message)?.[0] ?? '') : '';
    throw new HttpRefusal(400, `The ${what} is not JSON${place}.`);
  }
}

function decodeText(bytes: Uint8Array, what: string): string {
  try {
    return UTF_8.decode(bytes);
  } catch {
    throw new HttpRefusal(400, `The ${what} is not valid UTF-8.`);
  }
}
