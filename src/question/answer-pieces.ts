/**
 * Parts of an answer that are too large to be written at one go: the writer leaves the event loop to others in between.
 */

/** JSON that is text already. */
export class RawJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** An object of many members, made one by one as they are written. */
export class JsonRows {
  readonly keys: readonly string[];
  readonly row: (index: number) => unknown;
  constructor(keys: readonly string[], row: (index: number) => unknown) {
    this.keys = keys;
    this.row = row;
  }
}
