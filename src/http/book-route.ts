/**
 * The row of /book_risk: its bodies are too large to be read on the event loop.
 */

import { BOOK_QUESTION } from '../question/book/question.ts';
import { readBookBytes } from '../question/book/reader.ts';
import { readBookRisk } from '../question/book/request.ts';
import type { SentNames } from '../question/workload.ts';
import type { QuerySupport } from '../request/query.ts';
import { HttpRefusal } from './problem.ts';
import { prepare, type Route } from './route.ts';

const BODY_BYTES = 64 * 2 ** 20;

/** Faults of a book name assets as they are used. */
const asUsed: SentNames = (_map, asset) => asset;

export function bookRoute(querySupport: QuerySupport): Route {
  return {
    path: BOOK_QUESTION.path,
    querySupport,
    bodyBytes: BODY_BYTES,
    lines: true,
    schema: BOOK_QUESTION.schema,
    read(body, today, resolve) {
      const checked = readBookRisk(body, today, resolve);
      return checked.ok ? { ok: true, value: prepare(checked.value, BOOK_QUESTION, asUsed) } : checked;
    },
    async readBytes(bytes, today, symbols, asker) {
      const read = await readBookBytes(bytes, { today, aliases: symbols.aliases() }, asker);
      if ('unreadable' in read) throw new HttpRefusal(400, read.unreadable);
      return read.ok ? { ok: true, value: prepare(read.value, BOOK_QUESTION, asUsed) } : read;
    },
  };
}
