/** A result as text for a terminal. */
import { type DeskResult, leftOutLoans } from './result.ts';
import { headlines } from './sentences.ts';
import { counted } from './words.ts';

const limitLines = ({ Limits }: DeskResult): string[] =>
  Limits === null
    ? []
    : [
        '',
        ...Limits.map(
          ({ Status, Limit, Value, Of }) =>
            `${Status.padEnd(8)}  ${Limit}${Value === null ? '' : `  (${Number(Value.toPrecision(4))}${Of === null ? '' : `, ${Of}`})`}`,
        ),
      ];

export function summaryText(result: DeskResult): string {
  const { Data, Tape, Run, Warnings, Missing } = result;
  const leftOut = leftOutLoans(Tape);
  return `${[
    result.Title,
    `Data as of ${Data.AsOf}, ${Data.Synthetic ? 'synthetic prices of the sample market' : Data.Market}; ${Run.Headline}, ${Run.Paths} paths, seed ${Run.Seed}.`,
    '',
    ...headlines(result),
    ...limitLines(result),
    ...(leftOut.length > 0
      ? [
          '',
          `${counted(leftOut.length, 'loan')} left out (--skip-faulty):`,
          ...Tape.LeftOut.map(each => `  line ${each.Line}, ${each.Id ?? 'no id'}: ${each.Message}`),
        ]
      : []),
    ...(Tape.Notes.length > 0
      ? ['', ...Tape.Notes.map(({ Ids, Sentence }) => `${counted(Ids.length, 'loan')} ${Sentence}`)]
      : []),
    ...(Missing.length > 0 ? ['', ...Missing] : []),
    ...(Warnings.length > 0
      ? ['', ...Warnings.map(({ Message, Models }) => `${Models.join(', ')}: ${Message}`)]
      : []),
  ].join('\n')}\n`;
}
