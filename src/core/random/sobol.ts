/**
 * Sobol points of up to 2,048 dimensions, scrambled by hash, as normals (`normal.ts`). Point p is number p mod n of the scramble
 * floor(p / n), in natural order.
 *
 * The scramble is Owen's by a hash: bits of a word are flipped by a function of seed and the bits above them (S. Laine, T. Karras,
 * "Stratified sampling for stochastic transparency", Computer Graphics Forum 30 (2011), 1197-1204; constants of B. Burley, "Practical
 * hash-based Owen scrambling", Journal of Computer Graphics Techniques 9 (2020), 1-20). Each scramble is a net in base 2 again, and
 * each of its points is uniform.
 */
import { ExtraWords } from './extra-words.ts';
import { JOE_KUO, JOE_KUO_DIMENSIONS } from './joe-kuo.ts';
import { normalFromWord } from './normal.ts';

const WORD_BITS = 32;
/** Second key word of the seeds: "sobo" in ASCII; other streams have others. */
const SOBOL_KEY = 0x736f626f;

/** A row of the table: inner coefficients of the polynomial, and the initial direction numbers. */
interface TableRow {
  readonly inner: number;
  readonly initial: readonly number[];
}

let parsed: readonly TableRow[] | undefined;

function tableRows(): readonly TableRow[] {
  parsed ??= JOE_KUO.trim()
    .split(/\s+/)
    .map(row => {
      const [inner, initial] = row.split(':');
      return { inner: Number(inner), initial: initial.split(',').map(Number) };
    });
  return parsed;
}

/**
 * The direction numbers of a dimension, the first of them with its only bit at the top.
 *
 * P. Bratley, B. L. Fox, "Algorithm 659: implementing Sobol's quasirandom sequence generator", ACM Transactions on
 * Mathematical Software 14 (1988), 88-100.
 * @param dimension 0..2047
 * @returns 32 words
 */
export function directionNumbers(dimension: number): Int32Array {
  if (!(dimension >= 0 && dimension < JOE_KUO_DIMENSIONS))
    throw new RangeError(`dimension is ${dimension}, must be from 0 to ${JOE_KUO_DIMENSIONS - 1}`);
  const numbers = new Int32Array(WORD_BITS);
  if (dimension === 0) return numbers.map((_, k) => 1 << (WORD_BITS - 1 - k));
  const { inner, initial } = tableRows()[dimension - 1];
  const degree = initial.length;
  for (let k = 0; k < WORD_BITS; k++) {
    if (k < degree) {
      numbers[k] = initial[k] << (WORD_BITS - 1 - k);
      continue;
    }
    const oldest = numbers[k - degree];
    numbers[k] = oldest ^ (oldest >>> degree);
    for (let j = 1; j < degree; j++) if ((inner >>> (degree - 1 - j)) & 1) numbers[k] ^= numbers[k - j];
  }
  return numbers;
}

/** Bits of a word in the opposite order. */
export function reversedBits(word: number): number {
  word = ((word >>> 1) & 0x55555555) | ((word & 0x55555555) << 1);
  word = ((word >>> 2) & 0x33333333) | ((word & 0x33333333) << 2);
  word = ((word >>> 4) & 0x0f0f0f0f) | ((word & 0x0f0f0f0f) << 4);
  word = ((word >>> 8) & 0x00ff00ff) | ((word & 0x00ff00ff) << 8);
  return (word >>> 16) | (word << 16);
}

/** A word whose bits are reversed, scrambled: every bit is changed by those below it only. */
function scrambled(word: number, seed: number): number {
  word = (word + seed) | 0;
  word ^= Math.imul(word, 0x6c50b47c);
  word ^= Math.imul(word, 0xb82f1e52);
  word ^= Math.imul(word, 0xc7afe638);
  return word ^ Math.imul(word, 0x8d22f6e6);
}

/** The points of all scrambles of one seed. */
export class ScrambledSobol {
  private readonly seedWords: ExtraWords;
  /** Direction numbers with their bits reversed, [number][dimension]. */
  private readonly directions: readonly Int32Array[];
  /** The exclusive-or of the first k + 1 direction numbers: the step to a point with k zeros at its end. */
  private readonly steps: readonly Int32Array[];
  /** The last point before its scramble, with its bits reversed. */
  private readonly point: Int32Array;
  private readonly seeds: Int32Array;
  private scramble = -1;
  private index = -1;

  /** @param perScramble points of a scramble, a power of two */
  constructor(
    seed: number,
    dimensions: number,
    private readonly perScramble: number,
  ) {
    this.seedWords = new ExtraWords(seed, SOBOL_KEY);
    const numbers = Array.from({ length: dimensions }, (_, d) => directionNumbers(d).map(reversedBits));
    const bits = Math.round(Math.log2(perScramble));
    this.directions = Array.from({ length: bits }, (_, k) => Int32Array.from(numbers, all => all[k]));
    const sum = new Int32Array(dimensions);
    this.steps = this.directions.map(row => {
      row.forEach((word, d) => {
        sum[d] ^= word;
      });
      return sum.slice();
    });
    this.point = new Int32Array(dimensions);
    this.seeds = new Int32Array(dimensions);
  }

  /** Fills `out` with the normals of a point; cheapest in rising order. @param out one per dimension */
  fillNormals(path: number, out: Float64Array): void {
    const { point, seeds } = this;
    this.moveTo(path);
    for (let d = 0; d < point.length; d++)
      out[d] = normalFromWord(reversedBits(scrambled(point[d], seeds[d])));
  }

  /** The words of a point, 0..2^32-1 each. */
  words(path: number): Uint32Array {
    this.moveTo(path);
    return Uint32Array.from(this.point, (word, d) => reversedBits(scrambled(word, this.seeds[d])));
  }

  private moveTo(path: number): void {
    const scramble = Math.floor(path / this.perScramble);
    const index = path - scramble * this.perScramble;
    if (scramble !== this.scramble) this.seedScramble(scramble);
    if (index > 0 && index === this.index + 1) {
      // From i to i + 1 the lowest bits change, as many as i + 1 has zeros at its end, and one more.
      this.change(this.steps[WORD_BITS - 1 - Math.clz32(index & -index)]);
    } else if (index !== this.index) {
      this.point.fill(0);
      for (const [k, row] of this.directions.entries()) if ((index >>> k) & 1) this.change(row);
    }
    this.index = index;
  }

  private change(row: Int32Array): void {
    const { point } = this;
    for (let d = 0; d < point.length; d++) point[d] ^= row[d];
  }

  /** The seed of dimension d is word d of the scramble. */
  private seedScramble(scramble: number): void {
    this.scramble = scramble;
    this.seedWords.start(scramble);
    for (let d = 0; d < this.seeds.length; d++) this.seeds[d] = this.seedWords.word(d);
  }
}
