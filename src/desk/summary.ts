/** A result as text for a terminal. */
import { type FaultGroup, othersText } from '../tape/fault-groups.ts';
import { leftOutGroups, leftOutLoans } from './left-out.ts';
import { errorText, valueText, whyUnknown } from './limit-text.ts';
import type { DeskResult } from './result.ts';
import { ageSentence, factsOf, headlines } from './sentences.ts';
import { counted, dayText, simulationText } from './words.ts';

const limitLines = ({ Limits }: DeskResult): string[] =>
  Limits === null
    ? []
    : [
        '',
        ...Limits.map(limit => {
          const { Status, Limit, Value, Of } = limit;
          const value = Value === null ? '' : `  (${valueText(limit, Value)}${Of === null ? '' : `, ${Of}`})`;
          const remarks = [whyUnknown(limit), errorText(limit)].filter(text => text !== '');
          return [`${Status.padEnd(8)}  ${Limit}${value}`, ...remarks].join('; ');
        }),
      ];

/** The first fault of its kind, and the places of the others. */
function leftOutLines(group: FaultGroup): string[] {
  const { line, id, column, message } = group.first;
  const others = othersText(group);
  return [
    `  ${line === undefined ? '' : `line ${line}, `}${id === undefined ? 'no id' : `loan ${id}`}${column === undefined ? '' : `, ${column}`}: ${message}`,
    ...(others === '' ? [] : [`    ${others}`]),
  ];
}

export function summaryText(result: DeskResult): string {
  const { Data, Tape, Run, Models, Warnings } = result;
  const leftOut = leftOutLoans(Tape);
  const age = ageSentence(Data);
  const facts = factsOf(result);
  return `${[
    result.Title,
    `Data as of ${dayText(Data.AsOf)}, ${Data.Synthetic ? 'synthetic prices of the sample market' : Data.Market}; ${simulationText(Run.Headline, Models[Run.Headline].Paths)}, seed ${Run.Seed}.`,
    ...(age === '' ? [] : [age]),
    '',
    ...headlines(result),
    ...limitLines(result),
    ...(leftOut.length > 0
      ? [
          '',
          `${counted(leftOut.length, 'loan')} left out (--skip-faulty):`,
          ...leftOutGroups(Tape).flatMap(leftOutLines),
        ]
      : []),
    ...(facts.length > 0 ? ['', ...facts] : []),
    ...(Warnings.length > 0
      ? ['', ...Warnings.map(({ Message, Models }) => `${Models.join(', ')}: ${Message}`)]
      : []),
  ].join('\n')}\n`;
}
