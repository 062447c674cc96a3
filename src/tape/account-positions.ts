/** The positions of an account in a CSV file: a column for each member of a row of /cross_perp_risk, by its name. */

import { type Cell, isPlainNumber } from '../text/numbers.ts';
import { textTable } from './tables.ts';

/** Columns with numbers, and with words; blank cells are absent members. */
const NUMBERS = [
  'position_size',
  'contract_size',
  'contract_value_usd',
  'entry_price',
  'mark_price',
  'funding_rate',
  'funding_interval_hour',
  'depth',
  'hourly_volume',
] as const;
const WORDS = ['id', 'market', 'contract_type', 'settle'] as const;
export const POSITION_COLUMNS: readonly string[] = [...WORDS, ...NUMBERS];

/** A file that is no table of positions, with every fault. */
export class NoPositions extends Error {
  override readonly name = 'NoPositions';
}

export interface PositionTable {
  /** As a request has them. */
  readonly positions: readonly Readonly<Record<string, string | number>>[];
  /** Line of each in the text, from 1. */
  readonly lines: readonly number[];
}

/** The rows of a text. @throws NoPositions with every fault at its line, NoTable on an empty text */
export function positionsOf(text: string): PositionTable {
  const { rows, lineOf } = textTable(text);
  const [header, ...body] = rows;
  const names = header.map(cell =>
    String(cell ?? '')
      .trim()
      .toLowerCase(),
  );
  const faults = names.flatMap((name, k) => {
    if (!POSITION_COLUMNS.includes(name))
      return [`column ${k + 1}, "${name}", is unknown; known are ${POSITION_COLUMNS.join(', ')}`];
    return names.indexOf(name) === k ? [] : [`column ${k + 1}, "${name}", is there twice`];
  });
  const positions = body.map((cells, row) => {
    const position: Record<string, string | number> = {};
    const line = lineOf(row + 1);
    if (cells.length > names.length)
      faults.push(`line ${line} has ${cells.length} cells for ${names.length} columns`);
    names.forEach((name, k) => {
      const sent = textOf(cells[k]);
      if (sent === '') return;
      if (!(NUMBERS as readonly string[]).includes(name)) position[name] = sent;
      else if (name === 'funding_rate' && sent === 'historical') position[name] = sent;
      else if (isPlainNumber(sent)) position[name] = Number(sent);
      else
        faults.push(
          `line ${line}: ${name} must be a number with a point for decimals and no other marks; got "${sent}"`,
        );
    });
    return position;
  });
  if (positions.length === 0) faults.push('the file has no row below its header');
  if (faults.length > 0) throw new NoPositions(faults.join('\n'));
  return { positions, lines: body.map((_, row) => lineOf(row + 1)) };
}

const textOf = (cell: Cell | undefined): string => String(cell ?? '').trim();
