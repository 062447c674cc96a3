/**
 * The bytes of a JSON text: bounds of its depth and length before it is parsed, since a text of brackets alone takes seventy times its
 * size after parsing, and its value.
 *
 * Must not know: the expected members.
 */

/** Most levels, lists and objects of a text. */
export interface JsonForm {
  readonly levels: number;
  readonly containers: number;
}

export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const OPEN_LIST = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_LIST = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;

/** The first excess of the bytes over a form, and its byte; undefined within it. Text that is no JSON may have any form. */
export function beyondForm(bytes: Uint8Array, most: JsonForm): string | undefined {
  let level = 0;
  let containers = 0;
  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at]) {
      case QUOTE:
        for (at++; at < bytes.length && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++;
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        if (++level > most.levels) return `at most ${most.levels} levels deep; byte ${at} begins another one`;
        if (++containers > most.containers)
          return `of at most ${most.containers} lists and objects; byte ${at} begins another one`;
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        level--;
        break;
      default:
    }
  }
  return undefined;
}

// A byte order mark is not removed; JSON.parse refuses it (RFC 8259, section 8.1).
const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The value and the text of some bytes, or why they have none. @param what name of the bytes in messages: `body`, `line` */
export function parseJson(
  bytes: Uint8Array,
  what: string,
): { readonly value: unknown; readonly text: string } | { readonly unreadable: string } {
  let text: string;
  try {
    text = UTF_8.decode(bytes);
  } catch {
    return { unreadable: `The ${what} is not valid UTF-8.` };
  }
  try {
    return { value: JSON.parse(text), text };
  } catch (error) {
    const place = error instanceof Error ? (/ at position \d+/.exec(error.message)?.[0] ?? '') : '';
    return { unreadable: `The ${what} is not JSON${place}.` };
  }
}
