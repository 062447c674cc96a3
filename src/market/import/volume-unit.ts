/**
 * The unit of the volumes of a file: coins of the asset, or the currency of the quote. A store has coins.
 *
 * It follows from the name of the column, the form of the file or its exchange; where these are ambiguous an option is required,
 * since dollars read as coins would make a market of trillions.
 */
import { simpleName } from '../../text/nearest-name.ts';
import type { Columns } from './columns.ts';
import { isExchangeOfBars } from './file-name.ts';
import type { Table } from './table.ts';

/** `none` leaves the volumes out. */
export const VOLUME_UNITS = ['base', 'quote', 'none'] as const;
export type VolumeUnit = (typeof VOLUME_UNITS)[number];

/** Names of columns, reduced to letters and digits, with coins of the asset. */
const BASE_NAMES: ReadonlySet<string> = new Set(['basevolume', 'volumebase', 'volumefrom']);

/** The unit of the column of volumes; undefined where it is unknown, or there is no such column. */
export function volumeUnitOf(
  { header, says }: Pick<Table, 'header' | 'says'>,
  { roles }: Columns,
  asset: string,
  exchange: string,
): VolumeUnit | undefined {
  const column = roles.get('volume');
  if (column === undefined) return undefined;
  if (says.volumeUnit !== undefined) return says.volumeUnit;
  // Rows without names come from exchanges, which count coins.
  if (header === undefined) return 'base';
  const name = simpleName(header[column]);
  if (BASE_NAMES.has(name) || name === `volume${asset.toLowerCase()}`) return 'base';
  return isExchangeOfBars(exchange) ? 'base' : undefined;
}
