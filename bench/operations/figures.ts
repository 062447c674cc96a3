/** Writes the result of a measurement beside the others, with what it was measured on. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { projectFile } from '../project.ts';

/** The value below which a share `q` of the values lies; nearest rank. */
export function quantileOf(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(q * sorted.length) - 1))] ?? Number.NaN;
}

/** How often each value occurs. */
export function tally(values: Iterable<string | number>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      cwd: projectFile('.'),
      encoding: 'utf8',
    }).trim();
  } catch {
    return 'unknown';
  }
}

/**
 * Writes `figures` to bench/results/operations/`name`.json, prints them, and sets the exit code by `holds`.
 *
 * @param command how it was called
 * @param holds each claim and whether it held
 */
export function report(
  name: string,
  command: string,
  figures: Readonly<Record<string, unknown>>,
  holds: Readonly<Record<string, boolean>>,
): void {
  const result = {
    measured: new Date().toISOString(),
    command,
    commit: commit(),
    node: process.version,
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    processors: availableParallelism(),
    memoryGib: Math.round(totalmem() / 2 ** 30),
    loadAtTheEnd: loadavg()[0],
    holds,
    ...figures,
  };
  const folder = projectFile('bench/results/operations');
  mkdirSync(folder, { recursive: true });
  const text = `${JSON.stringify(result, null, 2)}\n`;
  writeFileSync(`${folder}/${name}.json`, text);
  process.stdout.write(text);
  process.exitCode = Object.values(holds).every(Boolean) ? 0 : 1;
}
