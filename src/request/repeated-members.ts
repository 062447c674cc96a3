/**
 * Members that a JSON text names more than once. A parsed object does not show them: JSON.parse returns the last and drops
 * the others, which would be a silent repair of the question.
 *
 * Takes: a text that JSON.parse has accepted. Gives: one fault per repeated member. Must not know: any operation.
 */
import type { Fault } from '../core/errors.ts';
import { dottedPath } from './message.ts';

/** No request nests deeper than this; what does is refused for other reasons. */
const DEEPEST = 8;
/** Repeats that are reported, at most. */
const MAX_FAULTS = 100;

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** An object or list that is open at the place that is looked at. */
interface Level {
  /** Names seen so far; undefined in a list, and below the depth that is checked. */
  readonly names: Set<string> | undefined;
  readonly list: boolean;
  /** The member or element that is looked at. */
  place: string | number;
}

/**
 * The members named twice or more in one object, in the order of their second naming; the first 100.
 *
 * @param json valid JSON
 */
export function repeatedMembers(json: string): Fault[] {
  const faults = new Map<string, Fault>();
  const levels: Level[] = [];
  let nameNext = false;
  for (let at = 0; at < json.length && faults.size < MAX_FAULTS; at++) {
    const code = json.charCodeAt(at);
    if (code === OPEN_OBJECT || code === OPEN_LIST) {
      const list = code === OPEN_LIST;
      levels.push({ names: list || levels.length >= DEEPEST ? undefined : new Set(), list, place: 0 });
      nameNext = !list;
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      levels.pop();
      nameNext = false;
    } else if (code === COMMA) {
      const level = levels[levels.length - 1];
      if (level.list) level.place = Number(level.place) + 1;
      nameNext = !level.list;
    } else if (code === QUOTE) {
      const end = endOfString(json, at);
      const level = levels.at(-1);
      if (nameNext && level?.names !== undefined) {
        level.place = JSON.parse(json.slice(at, end + 1)) as string;
        if (level.names.has(level.place)) {
          const path = dottedPath(levels.map(({ place }) => place));
          faults.set(path, { path, message: `${path} is named more than once` });
        }
        level.names.add(level.place);
      }
      nameNext = false;
      at = end;
    }
  }
  return [...faults.values()];
}

/** Index of the quote that ends the string beginning at `start`. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); ; end = json.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (json.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
}
