/**
 * `node scripts/scenario-library.mjs FOLDER`: writes src/question/scenario/closes.csv, the hourly prices of the windows that ship with
 * the program, from files `btc_usdt.csv`, `eth_usdt.csv`, `sol_usdt.csv` with columns timestamp (opening of the bar, UTC),
 * low and close. An asset that did not trade at the beginning of a window is left empty in it; a hole ends the script.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { HOURS_AFTER, LIBRARY_ASSETS, LIBRARY_WINDOWS } from '../dist/question/scenario/library.js';
import { formatHour } from '../dist/text/calendar-date.js';

const MS_PER_HOUR = 3_600_000;

/** Close and low of each bar by the hour at which it ends. */
function barsOf(file) {
  const [header, ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  const names = header.split(',');
  const [time, low, close] = ['timestamp', 'low', 'close'].map(name => names.indexOf(name));
  if (time < 0 || low < 0 || close < 0) throw new Error(`${file} lacks timestamp, low or close.`);
  return new Map(
    lines.map(line => {
      const cells = line.split(',');
      return [
        Date.parse(cells[time]) / MS_PER_HOUR + 1,
        { close: Number(cells[close]), low: Number(cells[low]) },
      ];
    }),
  );
}

const folder = process.argv[2];
if (folder === undefined) throw new Error('The folder of hourly prices is missing.');
const bars = LIBRARY_ASSETS.map(asset => barsOf(path.join(folder, `${asset.toLowerCase()}_usdt.csv`)));
const rows = [['window', 'end', ...LIBRARY_ASSETS, ...LIBRARY_ASSETS.map(asset => `${asset}_low`)].join(',')];
for (const { name, from, hours } of LIBRARY_WINDOWS) {
  const traded = bars.map(each => each.has(from));
  for (let hour = from; hour <= from + hours + HOURS_AFTER; hour++) {
    const here = bars.map((each, i) => (traded[i] ? each.get(hour) : { close: '', low: '' }));
    if (here.includes(undefined)) throw new Error(`${name}: a price at ${formatHour(hour)} is missing.`);
    const lows = here.map(({ low }) => (hour > from && hour <= from + hours ? low : ''));
    rows.push([name, formatHour(hour), ...here.map(({ close }) => close), ...lows].join(','));
  }
}
writeFileSync(new URL('../src/question/scenario/closes.csv', import.meta.url), `${rows.join('\n')}\n`);
