/** The lines of a batch's body, found without keeping the event loop. */
import { describe, expect, it } from 'vitest';
import { linesOf, type NumberedLine, partsOf } from '#src/server/answers/batch-lines.js';

const { signal } = new AbortController();
const bytesOf = (text: string) => new TextEncoder().encode(text);
const shown = (lines: readonly NumberedLine[]) =>
  lines.map(({ number, bytes }) => [number, new TextDecoder().decode(bytes)]);

/** Turns of the event loop that others have until `work` is done. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let done = false;
  const ending = work
    .catch(() => {})
    .then(() => {
      done = true;
    });
  while (!done) {
    await new Promise(setImmediate);
    turns += 1;
  }
  await ending;
  return turns;
}

describe('The lines of a body', () => {
  it('have numbers that count blank lines, which are omitted', async () => {
    const lines = await linesOf(bytesOf('\n{}\r\n \t\r\n[1]\n\nlast'), signal);
    expect(shown(lines)).toEqual([
      [2, '{}\r'],
      [4, '[1]'],
      [6, 'last'],
    ]);
  });

  it('are found where they cross two pieces of the body', async () => {
    const long = 'x'.repeat(3 * 2 ** 18);
    const lines = await linesOf(bytesOf(`${' '.repeat(2 ** 18)}a\n${long}\nb`), signal);
    expect(lines.map(({ number, bytes }) => [number, bytes.length])).toEqual([
      [1, 2 ** 18 + 1],
      [2, long.length],
      [3, 1],
    ]);
  });

  it('are counted once where a line ends with a piece', async () => {
    const lines = await linesOf(bytesOf(`${'x'.repeat(2 ** 18)}\ny\n${'z'.repeat(2 ** 18 - 4)}\nw`), signal);
    expect(lines.map(({ number, bytes }) => [number, bytes.length])).toEqual([
      [1, 2 ** 18],
      [2, 1],
      [3, 2 ** 18 - 4],
      [4, 1],
    ]);
  });

  it('are 1 to 10,000', async () => {
    expect(await linesOf(bytesOf('x'), signal)).toHaveLength(1);
    expect(await linesOf(bytesOf('x\n\n'.repeat(10_000)), signal)).toHaveLength(10_000);
    for (const [body, refusal] of [
      [
        'x\n'.repeat(10_001),
        { status: 413, message: 'The body has more than 10000 lines that are not blank.' },
      ],
      ['\n \r\n', { status: 400, message: 'The body has no lines.' }],
      ['', { status: 400, message: 'The body has no lines.' }],
    ] as const)
      await expect(linesOf(bytesOf(body), signal)).rejects.toMatchObject(refusal);
  });

  it.each([
    ['blank lines alone', '\n'],
    ['one blank line', ' '],
    ['one long line', 'x'],
  ])('leave the event loop to others in %s', async (_name, character) => {
    const pieces = 8;
    expect(
      await turnsDuring(linesOf(bytesOf(character.repeat(pieces * 2 ** 18)), signal)),
      'turns of others',
    ).toBeGreaterThanOrEqual(pieces - 1);
  });

  it('are not searched after the client has disconnected', async () => {
    const gone = new AbortController();
    const finding = linesOf(bytesOf('\n'.repeat(2 ** 20)), gone.signal);
    gone.abort(new Error('gone'));
    await expect(finding).rejects.toThrow('gone');
  });
});

describe('The parts of a line', () => {
  const textOf = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes);
  const shownParts = async (line: string, limit = 100) => {
    const parts = await partsOf(bytesOf(line), limit);
    return parts && [textOf(parts.envelope), textOf(parts.body)];
  };

  it.each([
    [
      '{"id":"a","body":{"x":[1,{"body":2}]},"seed":7}',
      '{"id":"a","body":0,"seed":7}',
      '{"x":[1,{"body":2}]}',
    ],
    ['{"body": "a\\"},{[" }', '{"body":0}', ' "a\\"},{[" '],
    ['{"\\u0062ody":[]}', '{"\\u0062ody":0}', '[]'],
    ['{"id":"body","seed":1}', '{"id":"body","seed":1}', undefined],
    ['{"other":{"body":1}}', '{"other":{"body":1}}', undefined],
    ['{"body":1,"body":2}', '{"body":0,"body":0}', '2'],
    ['{"id":"a","body":{"x":', '{"id":"a","body":0', '{"x":'],
    ['{"id":"a', '{"id":"a', undefined],
    ['{"\\u0062\\u006f\\u0064\\u0079":[]}', '{"\\u0062\\u006f\\u0064\\u0079":0}', '[]'],
    ['{"":"","body":"","x":"\\\\","seed":1}', '{"":"","body":0,"x":"\\\\","seed":1}', '""'],
    [`{"id":"${'a'.repeat(40)}","body":1}`, `{"id":"${'a'.repeat(40)}","body":0}`, '1'],
    [`{"${'b'.repeat(40)}":1}`, `{"${'b'.repeat(40)}":1}`, undefined],
    ['{"\\x":1}', '{"\\x":1}', undefined],
    ['["body",{"a":1}]', '["body",{"a":1}]', undefined],
    ['{"a":["body"],"b":1}', '{"a":["body"],"b":1}', undefined],
  ])('of %s are the text outside the body, and the body', async (line, envelope, body) => {
    expect(await shownParts(line)).toEqual([envelope, body]);
  });

  it('are reported if the text outside the body is within its limit', async () => {
    const line = `{"id":"a","body":"${'x'.repeat(1000)}"}`;
    const beside = '{"id":"a","body":}'.length;
    expect((await shownParts(line, beside))?.[0]).toBe('{"id":"a","body":0}');
    expect(await shownParts(line, beside - 1)).toBe(undefined);
    expect(await shownParts(`{"id":"${'x'.repeat(1000)}"}`, beside)).toBe(undefined);
    const more = `${line.slice(0, -1)},"seed":7}`;
    expect(await shownParts(more, beside + 9)).toBeDefined();
    expect(await shownParts(more, beside + 8)).toBe(undefined);
  });

  it('leave the event loop to others where the body is long', async () => {
    const pieces = 4;
    const body = '[]'.repeat((pieces * 2 ** 18) / 2);
    const turns = await turnsDuring(partsOf(bytesOf(`{"body":${body}}`), 100));
    expect(turns, 'turns of others').toBeGreaterThanOrEqual(pieces - 1);
    expect(turns, 'turns of others').toBeLessThanOrEqual(3 * pieces);
  });
});
