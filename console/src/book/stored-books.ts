/**
 * Books in the storage of this browser, so that a link opens them again. A link has the number of its book alone; no server
 * stores a book.
 *
 * Takes: a file as it was read. Gives: its number, where the browser stores it.
 */
import type { BookFile } from './book-file.ts';

type Readable = Exclude<BookFile, { kind: 'unreadable' }>;

const PREFIX = 'collateral-risk-console.tape.';
/** Most stored books; the oldest is removed. */
const MAX_BOOKS = 8;
/** Characters of one; browsers store some five million in all. */
const MAX_CHARACTERS = 2_000_000;

/** A number of the text that is the same for the same book: 32 bits of FNV-1a. */
function numberOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}

/** The storage of this browser; undefined where it allows none. */
function storageHere(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}

/** Stores a book. @returns its number; undefined where it is too large or the browser has no room */
export function storeBook(book: Readable, storage = storageHere()): string | undefined {
  const text = JSON.stringify(book);
  if (storage === undefined || text.length > MAX_CHARACTERS) return undefined;
  const number = numberOf(text);
  const others = storedNumbers(storage).filter(each => each !== number);
  for (const old of others.slice(0, Math.max(0, others.length - MAX_BOOKS + 1)))
    storage.removeItem(PREFIX + old);
  try {
    storage.setItem(PREFIX + number, JSON.stringify({ at: Date.now(), book }));
  } catch {
    return undefined;
  }
  return number;
}

/** The book of a number; undefined where this browser has none. */
export function storedBook(number: string, storage = storageHere()): Readable | undefined {
  const text = storage?.getItem(PREFIX + number) ?? null;
  return text === null ? undefined : (JSON.parse(text) as { readonly book: Readable }).book;
}

/** Numbers of the stored books, the oldest first. */
function storedNumbers(storage: Storage): string[] {
  const numbers: { number: string; at: number }[] = [];
  for (let i = 0; i < storage.length; i++) {
    const key = storage.key(i) ?? '';
    if (!key.startsWith(PREFIX)) continue;
    const { at } = JSON.parse(storage.getItem(key) ?? '{}') as { readonly at?: number };
    numbers.push({ number: key.slice(PREFIX.length), at: at ?? 0 });
  }
  return numbers.sort((a, b) => a.at - b.at).map(({ number }) => number);
}
