/**
 * The row of /book_risk: its bodies are too large to be read on the event loop.
 */

import { bookRisk } from '../operation/book-risk.ts';
import { BOOK_RISK_ROW, type SentNames } from '../operation/requests.ts';
import { readBookBytes } from '../request/book-reader.ts';
import { bookRiskSchema, readBookRisk } from '../request/book-risk-request.ts';
import { HttpRefusal } from './problem.ts';
import { COMMON_QUERY, prepare, type Route } from './route.ts';

const BODY_BYTES = 64 * 2 ** 20;

/** Faults of a book name assets as they are used. */
const asUsed: SentNames = (_map, asset) => asset;

export const BOOK_ROUTE: Route = {
  path: '/book_risk',
  querySupport: { ...COMMON_QUERY, include: ['accuracy', 'model', ...COMMON_QUERY.include] },
  bodyBytes: BODY_BYTES,
  lines: true,
  schema: bookRiskSchema,
  read(body, today, resolve) {
    const checked = readBookRisk(body, today, resolve);
    return checked.ok
      ? { ok: true, value: prepare(checked.value, bookRisk, BOOK_RISK_ROW, asUsed) }
      : checked;
  },
  async readBytes(bytes, today, symbols) {
    const read = await readBookBytes(bytes, today, symbols.aliases());
    if ('unreadable' in read) throw new HttpRefusal(400, read.unreadable);
    return read.ok ? { ok: true, value: prepare(read.value, bookRisk, BOOK_RISK_ROW, asUsed) } : read;
  },
};
