/** Words of refusals: values, paths and members. */
import { describe, expect, it } from 'vitest';
import { dottedPath, explain, faultCodeOf, isObject, issue, requirement, show } from '#src/text/message.js';

it.each<[unknown, string]>([
  ['text', '"text"'],
  ['a "quote"', '"a \\"quote\\""'],
  ['x'.repeat(60), `"${'x'.repeat(60)}"`],
  ['x'.repeat(61), `"${'x'.repeat(60)}…"`],
  [[1, 2, 3], 'a list of 3'],
  [{ a: 1 }, 'an object'],
  [null, 'null'],
  [1.5, '1.5'],
  [true, 'true'],
])('The value %j is shown as %s', (value, shown) => {
  expect(show(value)).toBe(shown);
});

it('An object is neither null nor a list nor a function', () => {
  expect([{}, Object.create(null)].map(isObject)).toEqual([true, true]);
  expect([null, undefined, [], 'x', 7, () => {}].map(isObject)).toEqual(Array(6).fill(false));
});

it.each<[readonly PropertyKey[], string]>([
  [[], 'body'],
  [['params'], 'params'],
  [['params', 'markets', 0, 2], 'params.markets.0.2'],
  [['', 'a'], '"".a'],
  [['x'.repeat(61)], `${'x'.repeat(60)}…`],
])('The path %j is written %s', (path, text) => {
  expect(dottedPath(path)).toBe(text);
});

describe('A sentence', () => {
  const sentence = (path: readonly PropertyKey[], input: unknown) =>
    requirement('good')({ code: 'custom', path: [...path], input });

  it('begins with the member without the params of the envelope', () => {
    expect(sentence([], 7)).toBe('The body must be good; got 7');
    expect(sentence(['params'], 7)).toBe('params must be good; got 7');
    expect(sentence(['params', 'N'], 7)).toBe('N must be good; got 7');
    expect(sentence(['type'], 7)).toBe('type must be good; got 7');
    expect(sentence(['loans', 'params'], 7)).toBe('loans.params must be good; got 7');
  });

  it('says that a member is missing', () => {
    expect(sentence(['params', 'N'], undefined)).toBe('N is missing; it must be good');
  });

  it.each([
    ['missing', { code: 'invalid_type', path: ['a'], input: undefined }],
    ['wrong_type', { code: 'invalid_type', path: ['a'], input: 'x' }],
    ['missing', { code: 'invalid_union', path: [], discriminator: 'type', input: {} }],
    ['unknown_value', { code: 'invalid_union', path: [], discriminator: 'type', input: { type: 'X' } }],
    ['out_of_range', { code: 'invalid_union', path: ['M'], input: 200 }],
    ['missing', issue('malformed', ['a'], 'better', undefined)],
    ['malformed', issue('malformed', ['a'], 'better', 7)],
  ] as const)('has the code %s', (code, raw) => {
    expect(faultCodeOf(raw as never)).toBe(code);
  });

  it('of a rule has its own bound and its own value', () => {
    const own = issue('out_of_range', ['a'], 'better', 7, 'seven');
    expect(explain(own)).toBe('a must be better; got seven');
    expect(requirement('good')(own)).toBe('a must be better; got seven');
    expect(explain(issue('out_of_range', ['a'], 'better', 7))).toBe('a must be better; got 7');
    expect(explain(issue('out_of_range', ['a'], 'better', undefined))).toBe(
      'a is missing; it must be better',
    );
    expect(explain({ code: 'custom', path: ['a'], input: 7 })).toBeUndefined();
    expect(explain({ code: 'invalid_type', expected: 'string', path: ['a'], input: 7 })).toBeUndefined();
  });
});
