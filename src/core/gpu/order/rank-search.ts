/** The host's part of a radix search for order statistics: from counts of digits to longer prefixes. */

/** A key found. */
export interface RankedKey {
  readonly key: number;
  /** Keys at or below it. */
  readonly atOrBelow: number;
}

interface Wanted {
  readonly rank: number;
  /** The known leading bits of the key. */
  readonly prefix: number;
  /** Keys with a lower prefix, and keys with this one. */
  readonly before: number;
  readonly holding: number;
}

/** The search in one column. */
export class RankSearch {
  private wanted: readonly Wanted[];

  /**
   * @param ranks strictly rising, from 0
   * @param values number of keys
   */
  constructor(ranks: readonly number[], values: number) {
    this.wanted = ranks.map(rank => ({ rank, prefix: 0, before: 0, holding: values }));
  }

  /** The different prefixes, rising. */
  prefixes(): number[] {
    return [...new Set(this.wanted.map(({ prefix }) => prefix))];
  }

  /**
   * Adds the next digit of every wanted key.
   *
   * @param counts how often digit d follows prefix number k of `prefixes()`, at k x 2^bits + d
   */
  narrow(counts: Uint32Array, bits: number): void {
    const numbers = new Map(this.prefixes().map((prefix, k) => [prefix, k]));
    this.wanted = this.wanted.map(({ rank, prefix, before }) => {
      const row = numbers.get(prefix)! * 2 ** bits;
      let digit = 0;
      let below = before;
      while (rank >= below + counts[row + digit]) below += counts[row + digit++];
      return { rank, prefix: prefix * 2 ** bits + digit, before: below, holding: counts[row + digit] };
    });
  }

  /** The keys at the ranks, once all digits are known. */
  keys(): RankedKey[] {
    return this.wanted.map(({ prefix, before, holding }) => ({ key: prefix, atOrBelow: before + holding }));
  }
}
