/** Reads a body of /book_risk: bytes to a request by columns, or its faults. */
import type { Day } from '../../calendar-date.ts';
import type { Fault } from '../../core/errors.ts';
import { beyondForm } from '../../request/json-form.ts';
import type { Checked } from '../../request/parse.ts';
import { repeatedMembers } from '../../request/repeated-members.ts';
import { BOOK_FORM, type BookRiskRequest, readBookRisk } from './request.ts';

/** A request, its faults, or why the bytes are no JSON. */
export type ReadBytes = Checked<BookRiskRequest> | { readonly ok: false; readonly unreadable: string };

/** What a body is read with. */
export interface ReadingTerms {
  /** The day on which the body was sent. */
  readonly today: Day;
  /** Symbols that stand for other assets. */
  readonly aliases: readonly (readonly [symbol: string, asset: string])[];
}

export function readBytes(bytes: Uint8Array, { today, aliases }: ReadingTerms): ReadBytes {
  const beyond = beyondForm(bytes, BOOK_FORM);
  if (beyond !== undefined)
    return { ok: false, faults: [{ path: 'body', message: `The body must be ${beyond}` }] };
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { ok: false, unreadable: 'The body is not valid UTF-8.' };
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    const place = error instanceof Error ? (/ at position \d+/.exec(error.message)?.[0] ?? '') : '';
    return { ok: false, unreadable: `The body is not JSON${place}.` };
  }
  const repeats: readonly Fault[] = repeatedMembers(text);
  const table = new Map(aliases);
  const checked = readBookRisk(body, today, symbol => table.get(symbol) ?? symbol);
  if (repeats.length === 0) return checked;
  return { ok: false, faults: [...repeats, ...(checked.ok ? [] : checked.faults)] };
}
