import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { endWithoutOutput, progressLine } from '#src/cli/output.js';

function lineOn(terminal: boolean) {
  const written: string[] = [];
  let moment = 0;
  const line = progressLine({ out: () => {}, err: text => void written.push(text), terminal }, () => moment);
  const at = (milliseconds: number): void => {
    moment = milliseconds;
  };
  return { line, written, at };
}

it('Progress rewrites one line on a terminal, and clears it at the end', () => {
  const { line, written, at } = lineOn(true);
  line.update(0, 'BTC');
  at(100);
  line.update(0.05, 'BTC');
  at(10_000);
  line.update(0.25, 'ETH');
  line.end();
  expect(written).toEqual(['\r\u001b[KBTC: 0 % done', '\r\u001b[KETH: 25 % done, 30 s left', '\r\u001b[K']);
});

it('Progress adds a line every ten seconds elsewhere', () => {
  const { line, written, at } = lineOn(false);
  for (let second = 0; second <= 600; second++) {
    at(1000 * second);
    line.update(second / 6000, 'a run');
  }
  line.end();
  expect(written).toHaveLength(61);
  expect(written.at(-1)).toBe('a run: 10 % done, 90 min left\n');
});

it.each([
  ['EPIPE', ''],
  ['ENOSPC', 'standard output cannot be written: no room\n'],
])('Standard output that fails with %s ends the command', (code, told) => {
  const written: string[] = [];
  const codes: unknown[] = [];
  const stdout = new EventEmitter();
  const stderr = Object.assign(new EventEmitter(), { write: (text: string) => written.push(text) });
  endWithoutOutput({ stdout, stderr, exit: (exitCode: unknown) => codes.push(exitCode) } as never);
  stderr.emit('error', new Error('gone'));
  expect(codes).toEqual([]);
  stdout.emit('error', Object.assign(new Error('no room'), { code }));
  expect([codes, written.join('')]).toEqual([[1], told]);
});
