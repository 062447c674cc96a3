/**
 * Constants in more than one language are equal: the host's in TypeScript, the GPU's in WGSL, the SIMD kernel's in
 * AssemblyScript. Orders and layouts of the GPU's kernels are tested in test/shader/layout.test.ts.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

/** Constants that the files of the SIMD kernel import from kernel/lanes.ts, for the WebAssembly of a browser. */
const LANES: readonly [string, string][] = [
  ['LANE_SHIFT', '2'],
  ['VECTOR', '16'],
];

/** Expressions of the top-level constants of a file, by name. */
function expressionsOf(file: string): ReadonlyMap<string, string> {
  const found = [...textOf(file).matchAll(/^(?:export )?const (\w+)(?:: \w+)? = ([^;]+);/gm)];
  return new Map([...LANES, ...found.map(([, name, expression]): [string, string] => [name, expression])]);
}

/**
 * The value of an expression of numbers, constants, + - * / << ** and parentheses.
 * @throws Error for anything else
 */
function evaluate(expression: string, constants: ReadonlyMap<string, string>): number {
  const resolved = expression
    .replace(/\b(0x[0-9a-f]+|\d+(?:\.\d+)?)[uif]?\b(?!p)/gi, '$1')
    .replace(/0x1p([+-]\d+)/g, '2 ** ($1)')
    .replace(/\b[A-Z]\w*\b/g, name => {
      const inner = constants.get(name);
      if (inner === undefined) throw new Error(`${name} is not a constant of the file, in: ${expression}`);
      return `(${evaluate(inner, constants)})`;
    });
  if (!/^[\d\sa-fx.()+\-*/<]+$/i.test(resolved)) throw new Error(`not a constant expression: ${expression}`);
  return Number(new Function(`return ${resolved}`)());
}

/** The value of a constant of a file. */
function constantOf(file: string, name: string): number {
  const constants = expressionsOf(file);
  const expression = constants.get(name);
  if (expression === undefined) throw new Error(`${file} has no constant ${name}`);
  return evaluate(expression, constants);
}

const PLAN = 'src/core/plan';
const RANDOM = 'src/core/random';
const SIMD = 'src/core/simd';
const MEMORY = 'kernel/memory.ts';

/** A constant of the host, and its equal elsewhere; `times` is the number of its units in one of the host's. */
type Row = readonly [hostFile: string, hostName: string, file: string, name: string, times?: number];

/** Bytes of a vector, and of a word. */
const VECTOR = constantOf('kernel/lanes.ts', 'VECTOR');
const WORD = 4;

const BOOK = `${SIMD}/book-memory.ts`;
const DOUBLE = 8;
const INTEGER = 4;
/** Places of a loan of a book and of its rules, in numbers of so many bytes, by their common names. */
const bookPlaces = (file: string, bytes: number, ...names: readonly string[]): Row[] =>
  names.map(name => [BOOK, name, file, name, bytes]);

const ROWS: readonly Row[] = [
  // Bins of distributions.
  ['src/core/distribution/bins.ts', 'BINS_PER_UNIT', 'kernel/counts.ts', 'BINS_PER_UNIT'],
  // Random numbers.
  [`${RANDOM}/stream.ts`, 'BLOCK_STEPS', MEMORY, 'STREAM_STEPS'],
  [`${RANDOM}/stream.ts`, 'BLOCK_STEPS', 'shaders/lib/draw.wgsl', 'DRAW_BLOCK_STEPS'],
  [`${RANDOM}/threefry.ts`, 'KEY_PARITY', 'kernel/threefry.ts', 'KEY_PARITY'],
  [`${RANDOM}/threefry.ts`, 'KEY_PARITY', 'shaders/lib/threefry.wgsl', 'THREEFRY_PARITY'],
  [`${RANDOM}/extra-words.ts`, 'EXTRA_KEY', 'shaders/lib/extra_words.wgsl', 'EXTRA_KEY'],
  [`${RANDOM}/extra-words.ts`, 'EXTRA_KEY', 'kernel/extra.ts', 'EXTRA_KEY'],
  // Tables.
  [`${RANDOM}/multiplier-table.ts`, 'SEGMENT_BITS', 'kernel/multiplier.ts', 'SEGMENT_BITS'],
  [`${RANDOM}/multiplier-table.ts`, 'MULTIPLIER_OCTAVES', 'kernel/multiplier.ts', 'OCTAVES'],
  [
    `${RANDOM}/multiplier-table.ts`,
    'MULTIPLIER_ROWS',
    'kernel/day-years.ts',
    'MULTIPLIER_TABLE_BYTES',
    VECTOR,
  ],
  [`${RANDOM}/cumulant-table.ts`, 'CUMULANT_ROWS', 'kernel/cumulant.ts', 'ROWS_OF_ASSET'],
  [`${RANDOM}/cumulant-table.ts`, 'LEAST', 'kernel/cumulant.ts', 'LEAST'],
  [`${RANDOM}/cumulant-table.ts`, 'LARGEST', 'kernel/cumulant.ts', 'LARGEST'],
  [
    `${RANDOM}/multiplier-table.ts`,
    'MULTIPLIER_SEGMENTS',
    'shaders/model/day_multiplier.wgsl',
    'MULTIPLIER_SEGMENTS',
  ],
  [
    `${RANDOM}/multiplier-table.ts`,
    'MULTIPLIER_OCTAVES',
    'shaders/model/day_multiplier.wgsl',
    'MULTIPLIER_OCTAVES',
  ],
  [`${RANDOM}/cumulant-table.ts`, 'CUMULANT_ROWS', 'shaders/model/residual_rows.wgsl', 'CUMULANT_ROWS'],
  [`${RANDOM}/cumulant-table.ts`, 'LEAST', 'shaders/model/residual_rows.wgsl', 'CUMULANT_LEAST'],
  [`${RANDOM}/cumulant-table.ts`, 'LARGEST', 'shaders/model/residual_rows.wgsl', 'CUMULANT_LARGEST'],
  [
    `${RANDOM}/cumulant-table.ts`,
    'CUMULANT_LEAST_POWER',
    'shaders/model/residual_rows.wgsl',
    'CUMULANT_LEAST_POWER',
    -1,
  ],
  // Step 0.
  [`${PLAN}/loan-terms.ts`, 'START_ROUNDING', 'kernel/book-loans.ts', 'START_ROUNDING'],
  // Days.
  [`${PLAN}/grid.ts`, 'HOURS_PER_DAY', MEMORY, 'DAY_STEPS'],
  [`${PLAN}/grid.ts`, 'HOURS_PER_DAY', 'shaders/kernel/bindings.wgsl', 'DAY_STEPS'],
  // The GPU's state and sums.
  ['src/core/gpu/model/market.ts', 'STREAM_WORDS', 'shaders/lib/draw.wgsl', 'STREAM_WORDS'],
  // The SIMD kernel's memory.
  [`${PLAN}/portfolio.ts`, 'MAX_ASSETS', MEMORY, 'MAX_ASSETS'],
  [`${PLAN}/chunks.ts`, 'MAX_PATHS_PER_CHUNK', MEMORY, 'MAX_PATHS'],
  [`${PLAN}/chunks.ts`, 'PACKET_PATHS', 'kernel/lanes.ts', 'VECTOR', WORD],
  [`${SIMD}/parameters.ts`, 'RULE_MARGIN_CALL', 'kernel/loan.ts', 'MARGIN_CALL', VECTOR],
  [`${SIMD}/parameters.ts`, 'RULE_LIQUIDATION', 'kernel/loan.ts', 'LIQUIDATE', VECTOR],
  [`${SIMD}/parameters.ts`, 'RULE_RECOVERY', 'kernel/loan.ts', 'RECOVERY', VECTOR],
  [`${SIMD}/model/contract.ts`, 'PAIR_VARIANCE', 'kernel/pair.ts', 'PAIR_VARIANCE', VECTOR],
  [`${SIMD}/model/contract.ts`, 'PAIR_PHASE', 'kernel/pair.ts', 'PAIR_PHASE', VECTOR],
  [`${SIMD}/model/contract.ts`, 'PAIR_DRIFT', 'kernel/pair.ts', 'PAIR_DRIFT', VECTOR],
  [`${SIMD}/model/contract.ts`, 'PAIR_START', 'kernel/pair.ts', 'PAIR_START', VECTOR],
  [`${SIMD}/perpetual.ts`, 'CHANGE', 'kernel/position.ts', 'CHANGE', VECTOR],
  [`${SIMD}/perpetual.ts`, 'SETTLED', 'kernel/position.ts', 'SETTLED', VECTOR],
  [`${SIMD}/perpetual.ts`, 'DRAWDOWN', 'kernel/position.ts', 'DRAWDOWN', VECTOR],
  [`${SIMD}/perpetual.ts`, 'FLAGS', 'kernel/position.ts', 'FLAGS', VECTOR],
  ['src/core/engine.ts', 'FLAG_MARGIN_CALL', 'kernel/position.ts', 'FLAG_MARGIN_CALL'],
  ['src/core/engine.ts', 'FLAG_LIQUIDATION', 'kernel/position.ts', 'FLAG_LIQUIDATION'],
  [`${SIMD}/loan.ts`, 'BLOCK_STEPS', MEMORY, 'BLOCK_STEPS'],
  [`${SIMD}/loan.ts`, 'LOWEST', 'kernel/loan.ts', 'LOWEST', VECTOR],
  [`${SIMD}/loan.ts`, 'FINAL', 'kernel/loan.ts', 'FINAL', VECTOR],
  [`${SIMD}/loan.ts`, 'CLOSEOUT', 'kernel/loan.ts', 'CLOSEOUT', VECTOR],
  [`${SIMD}/loan.ts`, 'LIQUIDATION', 'kernel/loan.ts', 'LIQUIDATION', VECTOR],
  [`${SIMD}/loan.ts`, 'CALLED', 'kernel/loan.ts', 'CALLED', VECTOR],
  [BOOK, 'LOWEST', 'kernel/book-loans.ts', 'WORST', DOUBLE],
  [BOOK, 'UNDERWATER', 'kernel/book-loans.ts', 'UNDER', DOUBLE],
  ...bookPlaces('kernel/book-loans.ts', DOUBLE, 'MARGIN_CALL', 'LIQUIDATION', 'RECOVERY', 'MAX_GROWTH'),
  ...bookPlaces('kernel/book-bookings.ts', DOUBLE, 'NOMINAL', 'VALUE'),
  ...bookPlaces('kernel/book-bookings.ts', INTEGER, 'STEPS'),
  ...bookPlaces('kernel/book-loans.ts', INTEGER, 'TOP_UP', 'TERMS', 'COUNT', 'AT_START', 'START_DEADLINE'),
  ...bookPlaces('kernel/book-loans.ts', INTEGER, 'GROWTH', 'RULES'),
  ...bookPlaces('kernel/book-lending.ts', DOUBLE, 'COST', 'ANSWERING', 'ANSWER_RATIO'),
  ...bookPlaces('kernel/book-lending.ts', DOUBLE, 'SALE_RATIO', 'SALE_SHARE'),
  ...bookPlaces('kernel/book-lending.ts', INTEGER, 'ANSWER_DELAY', 'NAME_HIGH', 'NAME_LOW', 'ONE_DRAW'),
  ...bookPlaces('kernel/book-terms.ts', INTEGER, 'TERM_ASSET'),
  [BOOK, 'FRONT_BYTES', 'kernel/book-loans.ts', 'FRONT_HEAD'],
  [BOOK, 'FRONT_BYTES', 'kernel/book-loans.ts', 'FRONT_TERM'],
  [`${SIMD}/book.ts`, 'UNSOLD', 'kernel/book-bookings.ts', 'UNSOLD', DOUBLE],
  [`${SIMD}/book.ts`, 'CALLED', 'kernel/book-bookings.ts', 'CALLED', DOUBLE],
  [`${SIMD}/book.ts`, 'FORCED', 'kernel/book-bookings.ts', 'FORCED', DOUBLE],
  [`${SIMD}/book.ts`, 'TOPPED_UP', 'kernel/book-bookings.ts', 'TOPPED_UP', DOUBLE],
  [`${SIMD}/book.ts`, 'IS_LOSS', 'kernel/book-bookings.ts', 'IS_LOSS'],
];

for (const [hostFile, hostName, file, name, times = 1] of ROWS) {
  it(`${hostFile}: ${hostName} is that of ${file}, ${name}`, () => {
    expect(constantOf(file, name)).toBe(times * constantOf(hostFile, hostName));
  });
}

describe('The constants of the SIMD kernel', () => {
  const places = expressionsOf('kernel/constants.ts');
  /** Numbers by their place in the table of constants. */
  const numbers = new Map<number, number>(
    [...textOf('kernel/constants.ts').matchAll(/^ {2}put(?:Bits)?\((.+), (\S+)\);/gm)].map(
      ([, place, value]) => [evaluate(place, places), Number(value)],
    ),
  );
  const at = (name: string, further = 0) => numbers.get(constantOf('kernel/constants.ts', name) + further);

  it('have a place of their own each', () => {
    const puts = textOf('kernel/constants.ts').match(/^ {2}put(?:Bits)?\(/gm);
    expect(numbers.size).toBe(puts?.length);
    expect([...numbers.keys()].sort((a, b) => a - b)).toEqual([...numbers.keys()].map((_, i) => i));
  });

  it('are the scales of words of the reference', () => {
    expect(at('ONE')).toBe(1);
    expect(at('WORD_SCALE')).toBe(2 ** -32);
    expect(at('HALF_WORD')).toBe(2 ** -33);
    expect(at('TURN_SCALE')).toBe(2 ** -30);
    expect(at('TWICE_LN2')).toBe(2 * Math.LN2);
    expect(at('ROUND')).toBe(1.5 * 2 ** 23);
  });

  it('are the coefficients of the sine of the GPU, and its value above every threshold', () => {
    const sine = textOf('shaders/lib/draw.wgsl').match(/fn draw_sine[^}]*/)?.[0] ?? '';
    // From the highest power down; the power 0 is 1 in both.
    const coefficients = [...sine.matchAll(/(-?\d+\.\d+)\)[;]?/g)].map(([, number]) => Number(number));
    expect(coefficients).toEqual(
      [at('SINE_S', 3), at('SINE_S', 2), at('SINE_S', 1), at('SINE_S'), 1].map(Number),
    );
    expect(at('BEYOND')).toBe(constantOf('shaders/lib/limits.wgsl', 'VALUE_LIMIT'));
  });
});
