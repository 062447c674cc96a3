/** The results that the document of the models is written from: tables of documents, reports of the bench. Gives: plain data. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RESULTS } from './measured.mjs';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const textOf = path => readFileSync(join(ROOT, path), 'utf8');

/** Cells of the rows of a table, its head first. */
const rowsOf = table =>
  table
    .split('\n')
    .filter(line => line.startsWith('|') && !/^\|[\s|:-]+$/.test(line))
    .map(line =>
      line
        .slice(1, -1)
        .split('|')
        .map(cell => cell.trim()),
    );

const numberOf = cell => (cell === '' ? undefined : Number(cell.replace(/[,%]/g, '')));

/**
 * A row of the back-tests of value at risk: position, methodology, level, and its columns by their heads; an empty cell is undefined.
 * @typedef {{ readonly position: string, readonly name: string, readonly level: string, readonly days: string,
 *   readonly values: Readonly<Record<string, number | undefined>> }} BacktestRow
 */

/** @returns {readonly BacktestRow[]} */
function backtests() {
  const [, section] = textOf('docs/backtests.md').split('## Value at risk\n');
  const [head, ...rows] = rowsOf(section.split('\n### ')[0]);
  return rows.map(([position, name, level, days, ...cells]) => ({
    position,
    name,
    level,
    days,
    values: Object.fromEntries(cells.map((cell, at) => [head[at + 4], numberOf(cell)])),
  }));
}

/**
 * Forecasts of loans of 30 days beside what happened, by figure and methodology. Shares in per cent.
 * @typedef {{ readonly figure: string, readonly brierOfMean: number, readonly byName: Readonly<Record<string, {
 *   readonly brier: number, readonly deciles: readonly { readonly predicted: number, readonly happened: number, readonly error: number }[] }>> }} LoanOutcomes
 */

/** @returns {readonly LoanOutcomes[]} */
function loanOutcomes() {
  const [, section] = textOf('docs/backtests.md').split('\n## Loans\n');
  return section
    .split('\n### ')
    .slice(1)
    .map(text => {
      const [head, ...rows] = rowsOf(text);
      const names = head.filter(cell => cell.endsWith(': predicted')).map(cell => cell.split(':')[0]);
      const byName = names.map((name, k) => {
        const deciles = rows.slice(0, -1).map(cells => {
          const [happened, error] = cells[2 + 2 * k].split(' % ± ').map(Number);
          return { predicted: numberOf(cells[1 + 2 * k]), happened, error };
        });
        return [name, { brier: Number(rows.at(-1)[1 + 2 * k]), deciles }];
      });
      return {
        figure: text.split('\n', 1)[0],
        brierOfMean: Number(/Brier score of the mean: ([\d.]+\d)/.exec(text)[1]),
        byName: Object.fromEntries(byName),
      };
    });
}

/** Studies of coverage with the methodology that their name begins with. */
const coverage = () =>
  JSON.parse(textOf('bench/results/coverage.json')).studies.map(study => ({
    ...study,
    methodology: /^\w+/.exec(study.name)[0],
  }));

/** Every result; text files in the repository are its only source. */
export const readResults = () => ({
  backtests: backtests(),
  loanOutcomes: loanOutcomes(),
  coverage: coverage(),
  measured: JSON.parse(textOf(RESULTS)),
  gpu: JSON.parse(textOf('bench/results/first.json')),
});
