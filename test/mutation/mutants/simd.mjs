/** The kernel of the processor and what reads its results. */

const EXACT_LOANS = "test/engine/equality-loan.test.ts -t 'WebAssembly' end as they read";
const LOAN_PATHS = 'test/engine/agreement-loan.test.ts -t on the SIMD kernel takes the path';

/** @type {readonly import('../mutants.mjs').MutatedFile[]} */
export default [
  {
    file: 'wasm/loan.ts',
    tests: [EXACT_LOANS, LOAN_PATHS],
    mutants: [
      {
        from: 'f32x4.lt(value, v128.load(RULES, RECOVERY))',
        to: 'f32x4.le(value, v128.load(RULES, RECOVERY))',
      },
      {
        from: 'f32x4.lt(value, v128.load(RULES, MARGIN_CALL))',
        to: 'f32x4.le(value, v128.load(RULES, MARGIN_CALL))',
      },
      {
        from: 'f32x4.lt(value, v128.load(RULES, LIQUIDATE))',
        to: 'f32x4.le(value, v128.load(RULES, LIQUIDATE))',
      },
      { from: 'v128.and(now, i32x4.eq(deadline, now))', to: 'v128.and(now, i32x4.gt_s(deadline, now))' },
      { from: 'v128.or(f32x4.lt(low, marginCall), deadline)', to: 'f32x4.lt(low, marginCall)' },
    ],
  },
  {
    file: 'src/core/simd/loan.ts',
    tests: [EXACT_LOANS, LOAN_PATHS],
    mutants: [
      { from: 'lowest < thresholds.underwater ?', to: 'lowest <= thresholds.underwater ?' },
      { from: 'if (lowest < thresholds.marginCall)', to: 'if (lowest <= thresholds.marginCall)' },
      { from: 'liquidation >= closeout)', to: 'liquidation > closeout)' },
    ],
  },
  {
    file: 'wasm/pair.ts',
    tests: [LOAN_PATHS],
    mutants: [
      { from: 'const three = f32x4.add(two, step2);', to: 'const three = f32x4.add(two, step1);' },
      { from: 'y = f32x4.add(y, four);', to: 'y = f32x4.add(y, three);' },
    ],
  },
  {
    file: 'wasm/gbm.ts',
    tests: ['test/engine/wasm-kernel.test.ts', LOAN_PATHS],
    mutants: [
      { from: 'x3 = f32x4.add(x3, x2);', to: '' },
      { from: 'place <= rowEnd', to: 'place < rowEnd' },
    ],
  },
  {
    file: 'wasm/day-walk.ts',
    tests: ['test/engine/agreement-heavy-tails.test.ts -t SIMD', LOAN_PATHS],
    mutants: [
      { from: 'sum = f32x4.add(sum, s3);', to: 'sum = s3;' },
      { from: 'x = f32x4.add(x, f32x4.add(drift4,', to: 'x = f32x4.add(x, f32x4.add(drift3,' },
      { from: 'y = f32x4.add(y, f32x4.add(drift4,', to: 'y = f32x4.add(y, f32x4.add(drift3,' },
    ],
  },
  {
    file: 'wasm/bridge.ts',
    tests: ['test/engine/agreement-heavy-tails.test.ts -t SIMD'],
    mutants: [
      { from: '<f64>(left + 1)', to: '<f64>(left + 2)' },
      { from: 'const left = DAY_STEPS - k;', to: 'const left = DAY_STEPS - k + 1;' },
    ],
  },
  {
    file: 'wasm/rows.ts',
    tests: ['test/engine/agreement-heavy-tails.test.ts -t SIMD'],
    mutants: [
      { from: 'i32x4.lt_u(words', to: 'i32x4.lt_s(words' },
      { from: 'v128.andnot(next, i32x4.eq(next, i32x4.splat(count)))', to: 'next' },
    ],
  },
  {
    file: 'wasm/filtered.ts',
    tests: ['test/engine/agreement-heavy-tails.test.ts -t SIMD'],
    mutants: [
      { from: 'if ((next & 3) === 0)', to: 'if ((next & 7) === 0)' },
      { from: 'v128.store(GONE + at, f32x4.splat(0));', to: '' },
    ],
  },
  {
    file: 'wasm/position.ts',
    tests: ['test/engine/agreement-perpetual.test.ts -t SIMD'],
    mutants: [
      { from: 'open = v128.andnot(open, liquidated);', to: '' },
      { from: 'peak = f32x4.pmax(peak, change);', to: '' },
      { from: 'const called = f32x4.le(', to: 'const called = f32x4.gt(' },
    ],
  },
  {
    file: 'wasm/median.ts',
    tests: ['test/engine/agreement-perpetual.test.ts -t SIMD'],
    mutants: [
      { from: 'const isBelow = i32x4.gt_s(', to: 'const isBelow = i32x4.ge_s(' },
      { from: 'i32x4.shr_u(i32x4.add(counts, one), 1)', to: 'i32x4.shr_u(counts, 1)' },
    ],
  },
  {
    file: 'wasm/price.ts',
    tests: ['test/engine/wasm-kernel.test.ts', LOAN_PATHS],
    mutants: [
      { from: 'i32x4.shl(rounded, 23)', to: 'i32x4.shl(rounded, 22)' },
      {
        from: 'f32x4.pmin(f32x4.pmax(x, constant(EXP2_LEAST)), constant(EXP2_MOST))',
        to: 'x',
        argued:
          'Only log prices beyond 2^126 are held, and a plan that comes near them runs in double precision.',
      },
      {
        from: 'if (!v128.any_true(weight)) return;',
        to: '',
        argued: 'An asset of no weight adds zeros: the same sums, later.',
      },
    ],
  },
  {
    file: 'wasm/stream.ts',
    tests: ['test/engine/wasm-kernel.test.ts'],
    mutants: [
      { from: 'i32x4.splat(parity + 1)', to: 'i32x4.splat(parity + 2)' },
      { from: 'i32x4.splat(seed + 2)', to: 'i32x4.splat(seed)' },
      { from: 'turned(c1, 21)', to: 'turned(c1, 20)' },
    ],
  },
  {
    file: 'wasm/normal.ts',
    tests: ['test/engine/wasm-kernel.test.ts', LOAN_PATHS],
    mutants: [
      {
        from: 'signed(f32x4.mul(v128.load(radii, 48), c3), w3)',
        to: 'signed(f32x4.mul(v128.load(radii, 48), c3), w2)',
      },
      { from: 'i32x4.sub(v128.load(at, 32), phase)', to: 'i32x4.add(v128.load(at, 32), phase)' },
      { from: 'f32x4.sub(f1, f32x4.sub(u1, whole1))', to: 'f32x4.sub(f1, u1)' },
    ],
  },
  {
    file: 'wasm/kernel.ts',
    tests: ['test/engine/wasm-kernel.test.ts', LOAN_PATHS],
    mutants: [
      { from: 'if (firstStep % STREAM_STEPS === 0)', to: 'if (firstStep === 0)' },
      {
        from: 'followLoans(values, count, steps - step, topUpSteps);\n    }\n',
        to: 'followLoans(values, count, steps, topUpSteps);\n    }\n',
      },
    ],
  },
  {
    file: 'wasm/kernel.ts',
    tests: ['test/engine/distribution-agreement.test.ts'],
    mutants: [
      {
        from: 'followLoans(values, count, steps - step, topUpSteps);\n      findCalls',
        to: 'followLoans(values, count, steps, topUpSteps);\n      findCalls',
      },
    ],
  },
];
