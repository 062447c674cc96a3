/** Large parts of an answer. The writer yields to the event loop between them. */

import type { LongText } from '../core/long-text.ts';

/** JSON as text. */
export class RawJson {
  readonly text: LongText;
  constructor(text: LongText) {
    this.text = text;
  }
}

/** An object of many members; the writer calls `row` for one after another. */
export class JsonRows {
  readonly keys: readonly string[];
  readonly row: (index: number) => unknown;
  constructor(keys: readonly string[], row: (index: number) => unknown) {
    this.keys = keys;
    this.row = row;
  }
}
