/** The mutants that are made of a text, and which tests run for a file. */
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { mutantsOf, mutated } from './mutants.mjs';
import { testsOf } from './tests.mjs';

/** Each mutant of a text: its key without the file, and the line with the change in it. */
const changesOf = (text: string, file = 'src/a.ts') =>
  mutantsOf(file, text).map(mutant => [
    mutant.key.slice(file.length + 1),
    mutated(text, mutant).split('\n')[mutant.line - 1].trim(),
  ]);

describe('The mutants of a program', () => {
  it('change comparisons, signs, constants and logical operators', () => {
    expect(changesOf('const f = (a: number, b: number) => a < b && a - 1 >= 0.5;')).toEqual([
      ['f < to <= #1', 'const f = (a: number, b: number) => a <= b && a - 1 >= 0.5;'],
      ['f < to >= #1', 'const f = (a: number, b: number) => a >= b && a - 1 >= 0.5;'],
      ['f && to || #1', 'const f = (a: number, b: number) => a < b || a - 1 >= 0.5;'],
      ['f - to + #1', 'const f = (a: number, b: number) => a < b && a + 1 >= 0.5;'],
      ['f 1 to 2 #1', 'const f = (a: number, b: number) => a < b && a - 2 >= 0.5;'],
      ['f >= to > #1', 'const f = (a: number, b: number) => a < b && a - 1 > 0.5;'],
      ['f >= to < #1', 'const f = (a: number, b: number) => a < b && a - 1 < 0.5;'],
      ['f 0.5 to 1.5 #1', 'const f = (a: number, b: number) => a < b && a - 1 >= 1.5;'],
    ]);
  });

  it('remove statements and unary operators, and swap the functions that stand for operators', () => {
    const text =
      'class A {\n  b() {\n    if (!this.c) return;\n    this.d = Math.min(this.e, -this.f);\n  }\n}';
    expect(changesOf(text)).toEqual([
      ['A.b ! removed #1', 'if ( this.c) return;'],
      ['A.b statement removed #1', 'if (!this.c) {}'],
      ['A.b statement removed #2', '{}'],
      ['A.b min to max #1', 'this.d = Math.max(this.e, -this.f);'],
      ['A.b - removed #1', 'this.d = Math.min(this.e,  this.f);'],
    ]);
  });

  it('leave types, words, long tables and the step of a loop alone', () => {
    for (const text of [
      'type A = 1 | 2;',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a program
      'const a = `${b + 1}` + "c";',
      'const table = [1, 2, 3, 4, 5, 6, 7, 8, 9];',
      'for (;; i += 2);',
    ])
      expect(changesOf(text), text).toEqual([]);
    expect(changesOf('throw new Error(a + 1);')).toEqual([['module statement removed #1', '{}']]);
  });

  it('of the kernel are those of four lanes', () => {
    const text = 'function f() {\n  if (LANES > 4) g(1);\n  else g(2);\n  return LANES < 8 ? 3 : 4;\n}';
    expect(changesOf(text, 'kernel/a.ts')).toEqual([
      ['f statement removed #1', 'else {}'],
      ['f 2 to 3 #1', 'else g(3);'],
      ['f 3 to 4 #1', 'return LANES < 8 ? 4 : 4;'],
    ]);
  });

  it('have keys that a change of another function does not move', () => {
    const keysOf = (text: string) => mutantsOf('src/a.ts', text).map(({ key }) => key);
    const later = 'function b() { return 1 + 1; }';
    expect(keysOf(later)).toEqual(['src/a.ts b 1 to 2 #1', 'src/a.ts b + to - #1', 'src/a.ts b 1 to 2 #2']);
    expect(keysOf(`function a() { return 1 - 1; }\n${later}`)).toEqual(expect.arrayContaining(keysOf(later)));
  });
});

it('The mutants of a shader are made of its tokens, and leave attributes and types alone', () => {
  const text = 'fn f(a: ptr<function, f32>) {\n  @id(3) g(a < 4u);\n  h(a, 1.0 * b); // c < 1\n}\n';
  expect(changesOf(text, 'shaders/a.wgsl')).toEqual([
    ['f < to <= #1', '@id(3) g(a <= 4u);'],
    ['f < to >= #1', '@id(3) g(a >= 4u);'],
    ['f 4u to 5u #1', '@id(3) g(a < 5u);'],
    ['f 1.0 to 2.0 #1', 'h(a, 2.0 * b); // c < 1'],
    ['f * to / #1', 'h(a, 1.0 / b); // c < 1'],
  ]);
  expect(changesOf('fn f() {\n  a.b += 1u;\n}\n', 'shaders/a.wgsl')).toEqual([
    ['f statement removed #1', ';'],
    ['f += to -= #1', 'a.b -= 1u;'],
    ['f 1u to 2u #1', 'a.b += 2u;'],
  ]);
});

it('The tests of a file are those that import it, the one of its name first, and for the kernel those of engines', () => {
  const of = testsOf(fileURLToPath(new URL('../../', import.meta.url)));
  const none = () => 0;
  expect(of('src/core/stats/quantile.ts', none)[0]).toBe('test/core/stats/quantile.test.ts');
  const jobs = of('src/server/jobs/memory-jobs.ts', none);
  expect(jobs).not.toContain('test/core/stats/quantile.test.ts');
  const last = jobs.at(-1) ?? '';
  expect(of('src/server/jobs/memory-jobs.ts', test => (test === last ? 20 : 0)).slice(0, 2)).toContain(last);
  expect(of('kernel/loan.ts', none)).toContain('test/engine/equality-loan.test.ts');
  // What the tests bundle from the output of the build.
  expect(of('src/core/simd/simd-engine.ts', none)).toContain('test/core/browser-bundle.test.ts');
  // Of many tests at the same distance, one with a name of what the file imports.
  expect(of('src/core/simd/fan-rows.ts', none).slice(0, 6)).toContain(
    'test/engine/distribution-agreement.test.ts',
  );
  const ofShader = (file: string) => of(file, none).slice(0, 2);
  const small = 'test/shader/awkward-plans.test.ts';
  expect(ofShader('shaders/model/garch.wgsl')).toEqual([small, 'test/engine/garch-moments.test.ts']);
  expect(ofShader('shaders/lib/bins.wgsl')).toEqual(['test/shader/bins.test.ts', small]);
});
