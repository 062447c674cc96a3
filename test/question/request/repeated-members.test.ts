import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repeatedMembers } from '#src/question/request/repeated-members.js';

const paths = (json: string) => repeatedMembers(json).map(({ path }) => path);

describe('Repeated members', () => {
  it.each([
    ['{}', []],
    ['[]', []],
    ['"a"', []],
    ['{"a":1,"b":1}', []],
    ['{"a":1,"a":1}', ['a']],
    ['{"a":1,"b":2,"a":3,"a":4,"b":5}', ['a', 'b']],
    ['{"params":{"w":{"BTC":0.3,"ETH":0,"BTC":1}},"type":"GBM"}', ['params.w.BTC']],
    ['{"a":{"x":1},"b":{"x":1}}', []],
    ['[{"a":1},{"a":1,"b":[0,{"c":1,"c":2}]}]', ['1.b.1.c']],
    ['{"a":"a","b":["a","a","b"]}', []],
    ['{"a":"{\\"b\\":1,\\"b\\":2}","c":"\\\\"}', []],
    ['{ "a" : 1 ,\n "\\u0061" : 2 }', ['a']],
    ['{"":1,"":2}', ['""']],
    ['{"a,b":1,"{":2,"]":3,"a\\"":4,"a\\"":5}', ['a"']],
    ['{"__proto__":1,"__proto__":2}', ['__proto__']],
  ])('of %s are %j', (json, expected) => {
    JSON.parse(json);
    expect(paths(json)).toEqual(expected);
  });

  it('are looked for in eight levels', () => {
    const nested = (levels: number, open: string, close: string) =>
      `${open.repeat(levels)}{"a":1,"a":2}${close.repeat(levels)}`;
    expect(paths(nested(7, '{"m":', '}'))).toEqual(['m.m.m.m.m.m.m.a']);
    expect(paths(nested(8, '{"m":', '}'))).toEqual([]);
    expect(paths(nested(7, '[', ']'))).toEqual(['0.0.0.0.0.0.0.a']);
    expect(paths(nested(8, '[', ']'))).toEqual([]);
    expect(paths(`{"b":${nested(8, '[', ']')},"b":1}`)).toEqual(['b']);
  });

  it('are absent from any text of JSON.stringify, with any indentation', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 3 }), (value, indent) => {
        const json = JSON.stringify(value, undefined, indent);
        expect(repeatedMembers(json), json).toEqual([]);
      }),
    );
  });

  it('are found at any place of a second naming', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), fc.nat(), (object, pick) => {
        const entries = Object.entries(object);
        const [name] = entries[pick % entries.length];
        const members = entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
        const json = `{"in":{${members.join(',')},${JSON.stringify(name)}:null}}`;
        expect(repeatedMembers(json), json).toHaveLength(1);
      }),
    );
  });

  it('are found in time in a mebibyte of brackets or of repeats', () => {
    expect(repeatedMembers('['.repeat(500_000) + ']'.repeat(500_000))).toEqual([]);
    expect(repeatedMembers(`{"a":`.repeat(100_000) + 1 + '}'.repeat(100_000))).toEqual([]);
    const many = Array.from({ length: 50_000 }, (_, i) => `"m${i % 25_000}":1`).join(',');
    expect(repeatedMembers(`{${many}}`)).toHaveLength(100);
  });
});
