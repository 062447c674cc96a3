/** Files drawn from a grammar of exports: none is wrong without a word, and most are read at the first attempt. */
import { describe, expect, it } from 'vitest';
import { readSeries } from '#src/market/import/read-series.js';
import type { ImportOptions } from '#src/market/import/reading.js';
import { readTable } from '#src/market/import/table.js';
import { type DrawnFile, drawPriceFile } from '../../support/price-file-grammar.ts';

const NOW = new Date('2026-06-01T00:00:00Z');
/** Volumes in the quote are divided by closes, not by the mean price of their day, which is up to 5 % away. */
const VOLUME_TOLERANCE = 0.06;

/** `right`, `refused` with the kinds of its faults, or `wrong` with the first row that is. */
async function outcome({ name, text, truth }: DrawnFile, options: ImportOptions): Promise<string> {
  const found = readSeries(`/x/${name}`, await readTable(`/x/${name}`, Buffer.from(text)), options, NOW);
  if ('faults' in found)
    return `refused: ${found.faults
      .map(({ kind }) => kind)
      .sort()
      .join(', ')}`;
  const [{ rows }] = found.series;
  const { close, volume } = rows.numbers;
  if (rows.hours.length !== truth.size) return `wrong: ${rows.hours.length} rows of ${truth.size}`;
  for (const [i, hour] of rows.hours.entries()) {
    const right = truth.get(hour);
    if (right === undefined) return `wrong: a row at hour ${hour}`;
    if (close[i] !== right.close) return `wrong: ${close[i]} for ${right.close}`;
    const far = Math.abs(volume[i] / right.coins - 1) > VOLUME_TOLERANCE;
    if (far || (Number.isNaN(right.coins) && !Number.isNaN(volume[i])))
      return `wrong: a volume of ${volume[i]} for ${right.coins}`;
  }
  return 'right';
}

async function shares(count: number, firstSeed: number) {
  const [wrong, refused, kinds] = [[] as string[], [] as string[], new Map<string, number>()];
  let answered = 0;
  for (let seed = firstSeed; seed < firstSeed + count; seed++) {
    const file = drawPriceFile(seed);
    const first = await outcome(file, file.options);
    if (first.startsWith('wrong')) wrong.push(`${seed} ${first}`);
    if (!first.startsWith('refused')) continue;
    kinds.set(first, (kinds.get(first) ?? 0) + 1);
    const second = await outcome(file, { ...file.options, ...file.answers });
    if (second === 'right') answered++;
    else if (second.startsWith('wrong')) wrong.push(`${seed} with answers ${second}`);
    else refused.push(`${seed} ${second}`);
  }
  const asked = [...kinds.values()].reduce((sum, each) => sum + each, 0);
  return { wrong, refused, asked, answered, kinds: Object.fromEntries(kinds) };
}

describe('Price files of the grammar', () => {
  it.each([['forty', 40, 1]])('are right or asked about: %s', async (_, count, seed) => {
    const { wrong, refused, asked } = await shares(count, seed);
    expect(wrong).toEqual([]);
    expect(refused).toEqual([]);
    expect(asked).toBeLessThanOrEqual(0.2 * count);
  });

  it('are right or asked about, nine of ten at the first attempt: five hundred', {
    tags: ['slow'],
  }, async () => {
    const { wrong, refused, asked, answered } = await shares(500, 1001);
    expect(wrong).toEqual([]);
    expect(refused).toEqual([]);
    expect(asked).toBeLessThanOrEqual(0.1 * 500);
    expect(answered).toBe(asked);
  });
});
