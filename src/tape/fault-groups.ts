/** Faults of a tape by what is wrong: the same in every row is one entry for a reader. A program reads all of them. */
import { grouped, listed } from '../text/grouped.ts';
import { groupsBy } from './groups-by.ts';
import type { TapeFault } from './tape.ts';

/** Faults that differ in their places and values only. */
export interface FaultGroup {
  /** What is wrong, without places and values: no two groups of a tape have one kind. */
  readonly kind: string;
  readonly first: TapeFault;
  /** In the order of the tape, the first included. */
  readonly all: readonly TapeFault[];
}

/** Values in a message: texts in quotes, dates and numbers, but no digits of a name. */
const VALUE =
  /"(?:[^"\\]|\\.)*"|\b\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?|(?<![\w.])[+-]?\d[\d.,]*(?:e[+-]?\d+)?(?!\w)/g;

const kindOf = ({ line, column, message, remedy }: TapeFault): string =>
  JSON.stringify([
    line === undefined,
    column,
    ...[message, typeof remedy === 'string' ? remedy : remedy.kind].map(text => text.replace(VALUE, '#')),
  ]);

/** In the order of their first faults. */
export const faultGroups = (faults: readonly TapeFault[]): readonly FaultGroup[] =>
  groupsBy(faults, kindOf).map(all => ({ kind: kindOf(all[0]), first: all[0], all }));

/** Places of a group in a sentence. */
const MAX_PLACES = 5;

/** `line 3 (loan a), line 4 (loan b) and 195 more`. */
export const placesText = (faults: readonly TapeFault[], most = MAX_PLACES): string =>
  listed(
    faults.map(({ line, id }) =>
      [line === undefined ? '' : `line ${line}`, id === undefined ? '' : `(loan ${id})`]
        .filter(each => each !== '')
        .join(' '),
    ),
    most,
  );

/** `The same in 199 more rows: line 4 (loan b), ...`, for a group whose first fault is written out; empty for one fault. */
export const othersText = ({ all }: FaultGroup): string =>
  all.length === 1
    ? ''
    : `The same in ${grouped(all.length - 1, 0)} more ${all.length === 2 ? 'row' : 'rows'}: ${placesText(all.slice(1), MAX_PLACES - 1)}.`;
