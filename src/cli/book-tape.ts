/** A tape valued at the closes of the market store, with row faults by the schema of /book_risk. */
import { writeFileSync } from 'node:fs';
import { type ValuedTape, valueTape } from '../desk/value-tape.ts';
import { counted } from '../desk/words.ts';
import type { MarketData } from '../market/market-data.ts';
import type { MethodologyName } from '../models/methodology/methodologies.ts';
import { MAX_LOANS_OF_COMMAND } from '../question/book/request.ts';
import { faultsOfRows, isComputed, tapeMarket } from '../question/report/valuing.ts';
import { columnsFileText } from '../tape/columns-file.ts';
import { type FaultGroup, faultGroups, othersText } from '../tape/fault-groups.ts';
import { COMMAND_WORDS, remedyText } from '../tape/remedies.ts';
import type { TapeTable } from '../tape/tables.ts';
import { dayOf } from '../text/calendar-date.ts';
import { printable } from '../text/printable.ts';
import { written } from './input.ts';
import type { Output } from './output.ts';
import type { TapeRunOptions } from './tape-options.ts';

/** Most kinds of faults that are printed. */
const MAX_KINDS = 100;

/**
 * Values the loans of a tape at the closes of a market; prints faults that forbid the run, and returns undefined.
 *
 * @param path of the tape, for messages
 * @param types methodologies that are fitted; none where nothing is simulated
 */
export async function valueOrPrint(
  path: string,
  table: TapeTable,
  options: TapeRunOptions,
  types: readonly MethodologyName[],
  market: MarketData,
  now: Date,
  { err }: Output,
): Promise<ValuedTape | undefined> {
  const tape = await valueTape(
    table,
    { ...options.tape, ...options },
    tapeMarket(market, now, { ...options, types }),
    now,
    (valued, prices) => faultsOfRows(valued, prices, dayOf(now), MAX_LOANS_OF_COMMAND),
  );
  const { saveColumns } = options;
  if (saveColumns !== undefined)
    written(saveColumns, () => writeFileSync(saveColumns, columnsFileText(options.tape, tape.columns)));
  if (isComputed(tape, options.skipFaulty)) return tape;
  err(faultsText(path, tape, options));
  return undefined;
}

/** One entry for each kind of fault; a result of --skip-faulty has every row. */
function faultsText(path: string, { faults, loans }: ValuedTape, { skipFaulty }: TapeRunOptions): string {
  const groups = faultGroups(faults);
  const more = groups.length - MAX_KINDS;
  const kinds = groups.length < faults.length ? ` of ${counted(groups.length, 'kind')}` : '';
  return [
    ...groups.slice(0, MAX_KINDS).map(group => groupText(path, group)),
    ...(more > 0 ? [`${counted(more, 'more kind')} of faults.`] : []),
    skipFaulty
      ? loans.length === 0
        ? 'No loan without a fault is left.'
        : 'Nothing was computed: a fault without a line is not one of a loan.'
      : `Nothing was computed: ${counted(faults.length, 'fault')}${kinds}.${loans.length === 0 ? '' : ' With --skip-faulty the loans without a fault are computed, and the others are named in the result.'}`,
    '',
  ].join('\n');
}

/** `tape.csv:12: loan a-7, maturity: ...`, then the remedy and the other rows, a line each. */
function groupText(file: string, group: FaultGroup): string {
  const { line, id, column, message, remedy } = group.first;
  const place = line === undefined ? file : `${file}:${line}`;
  const of = [id === undefined ? '' : `loan ${id}`, column ?? ''].filter(each => each !== '').join(', ');
  const others = othersText(group);
  return [
    `${place}: ${of === '' ? '' : `${of}: `}${message}`,
    `  ${remedyText(remedy, COMMAND_WORDS)}`,
    ...(others === '' ? [] : [`  ${others}`]),
  ]
    .map(printable)
    .join('\n');
}
