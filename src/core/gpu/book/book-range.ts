/** The paths of a pass over a book, and its results. */

/** Some paths of a book, and the results of a pass over them. */
export type BookRange =
  /** Paths from `first` on: sums of the loans and columns of the paths. */
  | { readonly kind: 'sums'; readonly first: number; readonly count: number }
  /** Listed paths of the tails: the losses of the loans by class of path, and the sales on their peak days. */
  | {
      readonly kind: 'tails';
      readonly numbers: Uint32Array<ArrayBuffer>;
      /** Per path: the class of its loss, 0 for none, and the first step of its peak day or `NO_PEAK`. */
      readonly marks: Uint32Array<ArrayBuffer>;
      readonly sums: { readonly words: number; readonly rowsStart: number };
    };

/** A step so late that no sale is in a day from there. */
export const NO_PEAK = 0x80000000;

/** Number of paths of a range. */
export const pathsOf = (range: BookRange) => (range.kind === 'sums' ? range.count : range.numbers.length);
