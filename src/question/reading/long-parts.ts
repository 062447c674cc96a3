/**
 * The long members of what a reader process has read, apart from the others. A message with them would be copied and parsed in one turn
 * of the event loop of the server; their bytes come by a pipe, some at a time.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type LongText, textPieces } from '../../core/long-text.ts';

/** A member, and the lengths of its pieces in bytes. */
export interface LongPart {
  readonly path: readonly string[];
  readonly kind: 'doubles' | 'numbers' | 'text' | 'list';
  readonly bytes: readonly number[];
}

/** Larger arrays and texts come by the pipe. */
const LONG_BYTES = 4096;
/** Entries of a list in one piece. */
const LIST_ENTRIES = 1000;
/** Pieces of lists that are parsed in one turn of the event loop, which has two mebibytes of a full pipe: about a millisecond. */
const LISTS_PER_TURN = 10;

interface Detached {
  /** The value with `null` in place of its long members. */
  readonly rest: unknown;
  readonly parts: readonly LongPart[];
  /** The bytes of all parts in order. */
  readonly pieces: readonly Uint8Array[];
}

/** @param value plain data with typed arrays */
export function detachLong(value: unknown): Detached {
  const parts: LongPart[] = [];
  const all: Uint8Array[] = [];
  const detached = (each: unknown, path: readonly string[]): unknown => {
    const long = longPieces(each);
    if (long !== undefined) {
      parts.push({ path, kind: long.kind, bytes: long.pieces.map(({ byteLength }) => byteLength) });
      all.push(...long.pieces);
      return null;
    }
    if (typeof each !== 'object' || each === null || ArrayBuffer.isView(each)) return each;
    const entries = Object.entries(each).map(([key, member]) => [key, detached(member, [...path, key])]);
    return Array.isArray(each) ? entries.map(([, member]) => member) : Object.fromEntries(entries);
  };
  return { rest: detached(value, []), parts, pieces: all };
}

/** The kind and the bytes of a long value; undefined for others. */
function longPieces(value: unknown): { kind: LongPart['kind']; pieces: Uint8Array[] } | undefined {
  if (value instanceof Float64Array || value instanceof Uint32Array) {
    if (value.byteLength <= LONG_BYTES) return undefined;
    const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    return { kind: value instanceof Float64Array ? 'doubles' : 'numbers', pieces: [bytes] };
  }
  if (typeof value === 'string' && value.length > LONG_BYTES)
    return { kind: 'text', pieces: textPieces(value).map(piece => Buffer.from(piece)) };
  if (!Array.isArray(value) || value.length <= LIST_ENTRIES || !value.every(isEntry)) return undefined;
  const pieces: Uint8Array[] = [];
  for (let first = 0; first < value.length; first += LIST_ENTRIES)
    pieces.push(Buffer.from(JSON.stringify(value.slice(first, first + LIST_ENTRIES))));
  return { kind: 'list', pieces };
}

const isEntry = (entry: unknown) => typeof entry === 'string' || entry === null;

/**
 * The value whose long members were detached; long texts stay in pieces.
 *
 * @param take fills an array with the next bytes of the pipe
 */
export async function attachLong(rest: unknown, parts: readonly LongPart[], take: Take): Promise<unknown> {
  const root = { rest };
  for (const { path, kind, bytes } of parts) {
    const member = await READ[kind](bytes, take);
    const keys = ['rest', ...path];
    const holder = keys
      .slice(0, -1)
      .reduce<Record<string, unknown>>((object, key) => object[key] as Record<string, unknown>, root);
    holder[keys[keys.length - 1]] = member;
  }
  return root.rest;
}

type Take = (bytes: Uint8Array) => Promise<Uint8Array>;

/** The next bytes in memory that threads share, so that no column is copied for them. */
const inSharedMemory = async (length: number, take: Take) =>
  (await take(new Uint8Array(new SharedArrayBuffer(length)))).buffer;
const textOf = async (length: number, take: Take) =>
  Buffer.from((await take(new Uint8Array(length))).buffer).toString();

const READ: {
  readonly [K in LongPart['kind']]: (bytes: readonly number[], take: Take) => Promise<unknown>;
} = {
  doubles: async ([bytes], take) => new Float64Array(await inSharedMemory(bytes, take)),
  numbers: async ([bytes], take) => new Uint32Array(await inSharedMemory(bytes, take)),
  async text(bytes, take): Promise<LongText> {
    const pieces: string[] = [];
    for (const length of bytes) pieces.push(await textOf(length, take));
    return pieces;
  },
  async list(bytes, take) {
    const list: unknown[] = [];
    for (const [i, length] of bytes.entries()) {
      if (i % LISTS_PER_TURN === LISTS_PER_TURN - 1) await nextTurn();
      list.push(...(JSON.parse(await textOf(length, take)) as unknown[]));
    }
    return list;
  },
};
