/** Depth and length of a JSON text before parsing. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { beyondForm } from '#src/question/request/json-form.js';

const WIDE = { levels: 100, containers: 1e9 };
const bytes = (text: string) => new TextEncoder().encode(text);

/** Levels, lists and objects of a parsed value, counted by walking over it. */
function formOf(value: unknown): { levels: number; containers: number } {
  if (typeof value !== 'object' || value === null) return { levels: 0, containers: 0 };
  const children = Object.values(value).map(formOf);
  return {
    levels: 1 + Math.max(0, ...children.map(({ levels }) => levels)),
    containers: 1 + children.reduce((sum, each) => sum + each.containers, 0),
  };
}

it('The form of a JSON text is that of its parsed value, with any content of strings', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), value => {
      const text = bytes(JSON.stringify(value));
      const form = formOf(value);
      expect(beyondForm(text, form), JSON.stringify(value)).toBeUndefined();
      if (form.levels > 0)
        expect(beyondForm(text, { ...WIDE, levels: form.levels - 1 })).toMatch(
          /levels deep; byte \d+ begins/,
        );
      if (form.containers > 0)
        expect(beyondForm(text, { ...WIDE, containers: form.containers - 1 })).toMatch(/lists and objects/);
    }),
    { seed: 20_261_123, numRuns: 500 },
  );
});

it.each([
  ['[[[', 2, 'at most 2 levels deep; byte 2 begins another one'],
  ['[[]', 2, undefined],
  ['"[[[', 0, undefined],
  ['"\\"[[[" [', 0, 'at most 0 levels deep; byte 8 begins another one'],
  ['"\\\\" [', 0, 'at most 0 levels deep; byte 5 begins another one'],
  ['', 0, undefined],
])('The excess of %j over %d levels is %j', (text, levels, said) => {
  expect(beyondForm(bytes(text), { ...WIDE, levels })).toBe(said);
});
