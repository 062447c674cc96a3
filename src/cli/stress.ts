/**
 * `stress`: the loans of a tape under scenarios, as a table, from a service that starts and ends with the command.
 *
 * Takes: a file with loans. Gives: a row for each scenario on standard output.
 */
import { writeFileSync } from 'node:fs';
import { formatHour, formatIsoDate } from '../calendar-date.ts';
import { askStress } from '../desk/ask-stress.ts';
import type { StressedBook } from '../desk/result.ts';
import { ageSentence } from '../desk/sentences.ts';
import { counted, percent, simulatedUsd, usd } from '../desk/words.ts';
import { show } from '../request/message.ts';
import { scenarioLibrary } from '../scenario/scenario.ts';
import { TAPE_NOTES } from '../tape/book-rows.ts';
import { modelTerms, valueOrPrint } from './book-tape.ts';
import { readOrPrint, requireWritable, written } from './input.ts';
import { type Environment, EXIT, formatTable, type Output, STANDARD_OUTPUT } from './output.ts';
import { askOf, LONG_RUN, printFailures, withOwnService } from './own-service.ts';
import type { StressOptions } from './stress-command.ts';
import { readTapeFile } from './tape-file.ts';

/** @returns 0 for an answer, 1 for faults of the tape or a refusal, 2 for a file that cannot be read or written */
export async function stressCommand(
  path: string,
  options: StressOptions,
  environment: Environment,
  output: Output,
): Promise<number> {
  const file = await readOrPrint(() => {
    requireWritable([options.json]);
    return readTapeFile(path, options.sheet);
  }, output);
  if (file === undefined) return EXIT.notUnderstood;
  return printFailures(
    () =>
      withOwnService({ ...environment, ...LONG_RUN }, async (service, config) => {
        const library = scenarioLibrary(config.scenarios);
        const unknown = (options.scenarios ?? []).filter(name => !library.has(name));
        if (unknown.length > 0)
          output.err(
            `--scenarios: unknown ${unknown.map(show).join(', ')}; there are ${[...library.keys()].join(', ')}\n`,
          );
        const market = service.market.current();
        const tape = await valueOrPrint(path, file.table, options, market, new Date(), output);
        if (tape === undefined || unknown.length > 0) return EXIT.refused;
        const skipped = new Set(tape.faults.map(({ id, line }) => id ?? `line ${line}`));
        if (skipped.size > 0) output.err(`Left out for their faults: ${[...skipped].join(', ')}.\n`);
        const age = ageSentence({ AsOf: formatHour(24 * (tape.asOf + 1)), Behind: tape.behind });
        if (age !== '') output.err(`${age}\n`);
        for (const [note, ids] of tape.notes)
          output.err(`${counted(ids.length, 'loan')} ${TAPE_NOTES[note]}\n`);
        if (tape.notUsed.length > 0)
          output.err(`Columns of the tape that are not used: ${tape.notUsed.join(', ')}.\n`);
        const answer = await askStress(askOf(service), options.type, tape.rows, modelTerms(options, tape));
        if (typeof answer === 'string') {
          output.err(`${answer}\n`);
          return EXIT.refused;
        }
        for (const { message } of answer.Warnings) output.err(`${message}\n`);
        const json = `${JSON.stringify(answer.Scenarios, null, 2)}\n`;
        const { json: target } = options;
        if (target !== undefined && target !== STANDARD_OUTPUT)
          written(target, () => writeFileSync(target, json));
        const title = `${tape.loans.length} loans at the closes of ${formatIsoDate(tape.asOf)}\n`;
        output.out(options.json === STANDARD_OUTPUT ? json : `${title}${stressTable(answer.Scenarios)}\n`);
        return EXIT.done;
      }),
    output,
  );
}

function stressTable(scenarios: readonly StressedBook[]): string {
  const levels = Object.keys(scenarios[0]?.Then?.LossCVar ?? {});
  return formatTable(
    [
      'scenario',
      'LTV',
      'called',
      'liquidated',
      'closed out on the way',
      'lost on the way',
      'then lost on average',
      ...levels.map(q => `in the worst ${percent(1 - Number(q))}`),
    ],
    scenarios.map(({ Title, Ltv, Called, Liquidated, Replay, Then }) => [
      Title,
      percent(Ltv),
      String(Replay === null ? Called.Loans : Replay.Called),
      String(Replay === null ? Liquidated.Loans : Replay.Liquidated),
      Replay === null ? '' : String(Replay.ClosedOut),
      Replay === null ? '' : usd(Math.round(Replay.Loss)),
      Then === null ? '' : simulatedUsd(Then.ExpectedLoss),
      ...levels.map(q => (Then === null ? '' : simulatedUsd(Then.LossCVar[q]))),
    ]),
    1,
  );
}
