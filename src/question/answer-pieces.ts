/** Large parts of an answer. The writer yields to the event loop between them. */

import type { LongText } from '../core/long-text.ts';

/** JSON as text. */
export class RawJson {
  constructor(readonly text: LongText) {}
}

/** An object of many members; the writer calls `row` for one after another. */
export class JsonRows {
  constructor(
    readonly keys: readonly string[],
    readonly row: (index: number) => unknown,
  ) {}
}
