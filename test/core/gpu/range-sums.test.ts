/** Sums of any ranges of paths: those of the whole to the last bit. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addRanges, type RangeSums } from '#src/core/gpu/range-sums.js';

const WORD = 2n ** 32n;
/** The words of a few sums and of the key that is the largest. */
const wordsOf = (sums: readonly bigint[], key: number) =>
  Uint32Array.from([...sums.flatMap(sum => [Number(sum % WORD), Number(sum / WORD)]), key]);

describe('Ranges of paths', () => {
  it('add up without rounding, and with every carry', () => {
    // Beyond 2^53, as sums of squares are, doubles would round.
    const sum = fc.bigInt({ min: 0n, max: 2n ** 60n });
    const range = fc.record({
      sums: fc.array(sum, { minLength: 3, maxLength: 3 }),
      key: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
    });
    fc.assert(
      fc.property(fc.array(range, { minLength: 1, maxLength: 8 }), ranges => {
        const { words } = addRanges(ranges.map(({ sums, key }) => ({ words: wordsOf(sums, key) })));
        const totals = [0, 1, 2].map(k => ranges.reduce((total, { sums }) => total + sums[k], 0n));
        expect(words).toEqual(wordsOf(totals, Math.max(...ranges.map(({ key }) => key))));
      }),
    );
  });

  it('carry where two low words are 2^32 together, and not one below', () => {
    const of = (...sums: bigint[]) => addRanges(sums.map(sum => ({ words: wordsOf([sum], 0) }))).words;
    expect(of(WORD - 1n, 1n)).toEqual(wordsOf([WORD], 0));
    expect(of(WORD - 2n, 1n)).toEqual(wordsOf([WORD - 1n], 0));
  });

  it('concatenate their columns and add their counts without a change of the ranges', () => {
    const range = (value: number): RangeSums => ({
      words: wordsOf([BigInt(value)], value),
      counts: Float64Array.of(value, -value),
      columns: { equity: Float64Array.of(value, value + 0.5) },
    });
    const ranges = [range(1), range(2), range(4)];
    expect(addRanges(ranges)).toEqual({
      words: wordsOf([7n], 4),
      counts: Float64Array.of(7, -7),
      columns: { equity: Float64Array.of(1, 1.5, 2, 2.5, 4, 4.5) },
    });
    expect(ranges).toEqual([range(1), range(2), range(4)]);
  });
});
