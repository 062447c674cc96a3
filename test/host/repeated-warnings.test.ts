/** Warnings of a service that is away for long. */
import { expect, it } from 'vitest';
import { repeatedWarnings } from '#src/host/repeated-warnings.js';
import { collectLog } from '../support/log-lines.ts';
import { ManualClock } from '../support/manual-clock.ts';

it('Warnings of the same meaning are logged at once, then once a minute with the number that was left out', () => {
  const { log, lines } = collectLog();
  const clock = new ManualClock();
  const warn = repeatedWarnings(clock, log);
  for (let second = 0; second < 130; second++) {
    warn({ reason: 'refused' }, 'the store is away');
    if (second === 30) warn({ reason: 'refused' }, 'the queue is away');
    clock.advance(1000);
  }
  expect(lines.map(({ msg, left_out }) => [msg, left_out])).toEqual([
    ['the store is away', undefined],
    ['the queue is away', undefined],
    ['the store is away', 59],
    ['the store is away', 59],
  ]);
});
