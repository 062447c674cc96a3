/** Mutants of runs that are done in parts. */

/** @type {readonly import('../mutants.mjs').MutatedFile[]} */
export default [
  {
    file: 'src/core/gpu/range-sums.ts',
    tests: ['test/unit/core/gpu/range-sums.test.ts'],
    mutants: [
      { from: '(sum >= 2 ** 32 ? 1 : 0)', to: '(sum > 2 ** 32 ? 1 : 0)' },
      { from: 'low < last; low += 2', to: 'low < last - 2; low += 2' },
      { from: 'Math.max(words[last], other[last])', to: 'Math.min(words[last], other[last])' },
      { from: 'const words = first.words.slice();', to: 'const words = first.words;' },
      { from: '(sum, range) => sum + range', to: '(sum, range) => range' },
    ],
  },
  {
    file: 'src/fleet/cut.ts',
    tests: ['test/unit/fleet/spread-engine.test.ts'],
    mutants: [
      { from: '(end - first) * perPath < wished', to: '(end - first) * perPath <= wished / 2' },
      { from: 'chunk !== chunks.at(-1)) continue;', to: 'true) continue;' },
      { from: 'work / (PARTS_PER_THREAD * threads)', to: 'work / PARTS_PER_THREAD' },
      { from: 'first = end;', to: 'first = end + 1;' },
      { from: 'WORK_PER_LOAN * loans, ', to: '' },
    ],
  },
  {
    file: 'src/fleet/spread-engine.ts',
    tests: ['test/unit/fleet'],
    mutants: [
      { from: 'weighedWork(plan) >= least', to: 'true' },
      { from: ' && travels &&', to: ' &&' },
      {
        from: 'fleet.threadsFor(name) < rules.leastThreads',
        to: 'fleet.threadsFor(name) <= rules.leastThreads',
      },
      { from: 'answers[i] = answer', to: 'answers[parts.length - 1 - i] = answer' },
      {
        from: 'all.set(part.columns.subarray(c * count, (c + 1) * count), c * paths + first);',
        to: 'all.set(part.columns.subarray(c * count, (c + 1) * count), c * paths);',
      },
      { from: 'total[k] += part.contributions[k];', to: 'total[k] = part.contributions[k];' },
      { from: 'ranges[i].first * scenarios.assets', to: 'i * scenarios.assets' },
      {
        from: 'Math.min(size, paths - i * size)',
        to: 'size',
        argued: 'Parts of tails are cut from a list, which ends where it ends: the same part. Equivalent.',
      },
      { from: 'onProgress?.(done / parts.length);', to: 'onProgress?.(done / (parts.length + 1));' },
    ],
  },
  {
    file: 'src/fleet/fleet.ts',
    tests: ['test/unit/fleet', 'test/fleet/fleet.test.ts', 'test/fleet/front-ends.test.ts'],
    mutants: [
      { from: '.filter(({ version }) => version === this.options.version)', to: '' },
      { from: 'missing.delete(name);\n          found = true;', to: 'found = true;' },
      { from: 'if (missing.delete(name)) onAnswer(index, answer);', to: 'onAnswer(index, answer);' },
      {
        from: "if ('failure' in unpacked) throw",
        to: "if ('failure' in unpacked && large.length > 0) throw",
      },
      { from: 'if (ended.signal.aborted) await store.forget([lease]);', to: '' },
      { from: 'await unlessAborted(read([...missing.keys()]), signal);\n', to: '' },
    ],
  },
  {
    file: 'src/fleet/fleet-worker.ts',
    tests: ['test/unit/fleet/fleet-worker.test.ts', 'test/fleet/fleet.test.ts'],
    mutants: [
      {
        from: 'lease === undefined || bytes === undefined || done !== undefined',
        to: 'bytes === undefined || done !== undefined',
      },
      { from: 'bytes === undefined || done !== undefined', to: 'bytes === undefined' },
      { from: 'ENGINE_RULES[kind].isDevice ? 1 : threads', to: 'threads' },
      { from: '.filter(([, engine]) => isAvailable(engine))', to: '' },
      { from: 'if (watch.signal.aborted) return;', to: '' },
      {
        from: "error instanceof RiskError && error.reason === 'engine-unavailable'",
        to: 'error instanceof RiskError',
      },
    ],
  },
];
