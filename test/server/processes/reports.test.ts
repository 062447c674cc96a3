/** What processes report when they are asked, and what becomes of one that does not answer. */
import { describe, expect, it } from 'vitest';
import { createMetrics, joinMetrics } from '#src/server/metrics/metrics.js';
import { createReports } from '#src/server/processes/reports.js';
import { ManualClock } from '../../support/manual-clock.ts';

function asking() {
  const clock = new ManualClock();
  const asked: number[] = [];
  const reports = createReports<string>(process => void asked.push(process), clock, 4000);
  return { clock, asked, reports };
}

describe('Reports of processes', () => {
  it('come from those that answer before the deadline', async () => {
    const { clock, asked, reports } = asking();
    const gathered = reports.gather([1, 2, 3]);
    reports.receive(1, 'one');
    clock.advance(3999);
    reports.receive(3, undefined);
    await new Promise(setImmediate);
    clock.advance(1);
    expect([...(await gathered)]).toEqual([
      [1, 'one'],
      [2, undefined],
      [3, undefined],
    ]);
    expect(asked).toEqual([1, 2, 3]);
  });

  it('wait once for a process that does not answer, and not for one that has ended', async () => {
    const { clock, asked, reports } = asking();
    const first = reports.gather([1]);
    clock.advance(4000);
    await first;
    // Not asked again before it has answered.
    expect([...(await reports.gather([1]))]).toEqual([[1, undefined]]);
    expect([asked, clock.pending]).toEqual([[1], 0]);
    reports.receive(1, 'late');
    const again = reports.gather([1]);
    reports.receive(1, 'one');
    expect([...(await again)]).toEqual([[1, 'one']]);
    const ended = reports.gather([1]);
    reports.forget(1);
    expect([...(await ended)]).toEqual([[1, undefined]]);
  });
});

describe('The metrics of several processes', () => {
  it('are sums over the processes that have reported, and name the others', async () => {
    const [one, two] = [createMetrics('1.2.3', false), createMetrics('1.2.3', false)];
    for (const metrics of [one, two]) metrics.limited('work');
    const text = await joinMetrics(
      new Map([
        [1, await one.report()],
        [2, undefined],
        [4, await two.report()],
      ]),
      3,
    );
    expect(text).toContain('\nrisk_limited_total{limit="work"} 2\n');
    expect(text).toContain('\nrisk_build_info{version="1.2.3"} 1\n');
    expect(text).toContain('\nrisk_process_ends_total 3\n');
    const started = Number(/^process_start_time_seconds (\d+)$/m.exec(text)?.[1]);
    expect(Math.abs(started - (Date.now() / 1000 - process.uptime()))).toBeLessThan(2);
    const up = text.split('\n').filter(line => line.startsWith('risk_process_up{'));
    expect(up).toEqual([
      'risk_process_up{process="1"} 1',
      'risk_process_up{process="2"} 0',
      'risk_process_up{process="4"} 1',
    ]);
  });
});
