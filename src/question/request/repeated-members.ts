/** Repeated members of a JSON text. JSON.parse returns the last and drops the others, which would silently change the question. */
import type { Fault } from '../../core/errors.ts';
import { dottedPath } from '../../text/message.ts';
import { BACKSLASH, CLOSE_LIST, CLOSE_OBJECT, COMMA, OPEN_LIST, OPEN_OBJECT, QUOTE } from './json-form.ts';

/** No valid request nests deeper. */
const DEEPEST = 8;
/** Most reported repeats. */
const MAX_FAULTS = 100;

/** An open object or list at the current place. */
interface Level {
  /** Names so far; undefined in a list, and below the checked depth. */
  readonly names: Set<string> | undefined;
  readonly list: boolean;
  /** The current member or element. */
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
  let nameNext: boolean | undefined;
  for (let at = 0; at < json.length && faults.size < MAX_FAULTS; at++) {
    const code = json.charCodeAt(at);
    if (code === OPEN_OBJECT || code === OPEN_LIST) {
      const list = code === OPEN_LIST;
      levels.push({ names: list || levels.length >= DEEPEST ? undefined : new Set(), list, place: 0 });
      nameNext = !list;
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      levels.pop();
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
          faults.set(path, { code: 'repeated', path, message: `${path} is named more than once` });
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
