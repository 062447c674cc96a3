/** Reads the integer sums of a simulation from the words of its buffer; twin of shaders/lib/order.wgsl and kernel/sums.wgsl. */

/** Fixed-point unit of a fraction: 2^-23 (`fixed_point` of shaders/lib/order.wgsl). */
const FIXED_POINT = 2 ** -23;

/** A non-negative amount takes three sums: multiples of 2^24, whole parts, fractions. */
const AMOUNT_DIGIT = 2 ** 24;

/**
 * Sums over the paths in their order, and the kind of each: of whole numbers below 2^24 or their squares, of fractions in 0..1
 * or their squares, of amounts of any size, or of amounts of any size to 48 fraction bits, one or a list of `fineAmounts`.
 */
export type SumKinds = Readonly<Record<string, SumKind | FineAmounts>>;
export type SumKind = 'count' | 'count-square' | 'fraction' | 'fraction-square' | 'amount' | 'fine-amount';
interface FineAmounts {
  readonly fineAmounts: number;
}

/** Sums of the device in a sum of each kind. */
const WIDTH: Readonly<Record<SumKind, number>> = {
  count: 1,
  'count-square': 3,
  fraction: 1,
  'fraction-square': 3,
  amount: 3,
  'fine-amount': 4,
};

/** Where each sum begins on the device, by name; `count` is their number. */
export function sumPlaces(sums: SumKinds): {
  readonly places: Readonly<Record<string, number>>;
  readonly count: number;
} {
  const places: Record<string, number> = {};
  let count = 0;
  for (const [name, kind] of Object.entries(sums)) {
    places[name] = count;
    count += typeof kind === 'string' ? WIDTH[kind] : kind.fineAmounts * WIDTH['fine-amount'];
  }
  return { places, count };
}

/** Words of the sums buffer: two for each sum, one for the lowest value. */
export function sumWords(sums: SumKinds): number {
  return 2 * sumPlaces(sums).count + 1;
}

/** The sums by name. */
export function readSums<K extends SumKinds>(
  sums: K,
  words: Uint32Array,
): { readonly [N in keyof K]: K[N] extends FineAmounts ? Float64Array : number } {
  const { places } = sumPlaces(sums);
  const read: Readonly<Record<SumKind, (sum: number) => number>> = {
    count: sum => integerSum(words, sum),
    fraction: sum => fixedPointSum(words, sum),
    'count-square': sum => squareSum(words, sum),
    'fraction-square': sum => squareSum(words, sum) * FIXED_POINT * FIXED_POINT,
    amount: sum =>
      integerSum(words, sum) * AMOUNT_DIGIT + integerSum(words, sum + 1) + fixedPointSum(words, sum + 2),
    'fine-amount': sum =>
      integerSum(words, sum) * AMOUNT_DIGIT +
      integerSum(words, sum + 1) +
      (integerSum(words, sum + 2) + integerSum(words, sum + 3) / AMOUNT_DIGIT) / AMOUNT_DIGIT,
  };
  const values = Object.entries(sums).map(([name, kind]) => {
    const place = places[name];
    if (typeof kind === 'string') return [name, read[kind](place)];
    const amount = (_: unknown, i: number) => read['fine-amount'](place + i * WIDTH['fine-amount']);
    return [name, Float64Array.from({ length: kind.fineAmounts }, amount)];
  });
  return Object.fromEntries(values);
}

/** Sum number `sum`: an exact integer below 2^53. */
export function integerSum(words: Uint32Array, sum: number): number {
  return words[2 * sum + 1] * 2 ** 32 + words[2 * sum];
}

/** Squares of whole numbers 2^12 a + b, added as a^2, a b and b^2 (`square_add` of shaders/kernel/sums.wgsl). */
function squareSum(words: Uint32Array, sum: number): number {
  return integerSum(words, sum) * 2 ** 24 + integerSum(words, sum + 1) * 2 ** 13 + integerSum(words, sum + 2);
}

/** Sum number `sum` of numbers in 0..1 that were added in fixed point. */
function fixedPointSum(words: Uint32Array, sum: number): number {
  return integerSum(words, sum) * FIXED_POINT;
}

/** The lowest value that any path gave to `lowest_update`: the last word is its inverted order key. */
export function lowestValue(words: Uint32Array): number {
  return numberOfKey(~words[words.length - 1] >>> 0);
}

/** The number whose order key this is. */
export function numberOfKey(key: number): number {
  const bits = key >= 0x80000000 ? key ^ 0x80000000 : ~key;
  return new Float32Array(new Uint32Array([bits]).buffer)[0];
}

/** The order key of a single-precision number. */
export function keyOfNumber(value: number): number {
  const [bits] = new Uint32Array(new Float32Array([value]).buffer);
  return (bits ^ (bits >= 0x80000000 ? 0xffffffff : 0x80000000)) >>> 0;
}
