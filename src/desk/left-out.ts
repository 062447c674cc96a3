/** Loans of a result that are left out for their faults. */
import { type FaultGroup, faultGroups } from '../tape/fault-groups.ts';
import { COMMAND_WORDS, remedyText } from '../tape/remedies.ts';
import type { TapeFault } from '../tape/tape.ts';
import type { DeskResult, LeftOut } from './result.ts';

type Tape = Pick<DeskResult['Tape'], 'LeftOut'>;

export const leftOutOf = (faults: readonly TapeFault[]): readonly LeftOut[] =>
  faults.map(({ code, line, id, column, message, remedy }) => ({
    Line: line ?? null,
    Id: id ?? null,
    Column: column ?? null,
    Code: code,
    Message: message,
    Remedy: remedyText(remedy, COMMAND_WORDS),
  }));

/** Each once: its id, or its line without one. */
export const leftOutLoans = ({ LeftOut }: Tape): readonly string[] => [
  ...new Set(LeftOut.map(({ Id, Line }) => Id ?? `line ${Line}`)),
];

/** Their faults by what is wrong. */
export const leftOutGroups = ({ LeftOut }: Tape): readonly FaultGroup[] =>
  faultGroups(
    LeftOut.map(({ Code, Line, Id, Column, Message, Remedy }) => ({
      code: Code,
      ...(Line !== null && { line: Line }),
      ...(Id !== null && { id: Id }),
      ...(Column !== null && { column: Column }),
      message: Message,
      remedy: Remedy,
    })),
  );
