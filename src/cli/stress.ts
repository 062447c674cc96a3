/**
 * `stress`: the loans of a tape under scenarios, as a table.
 *
 * Takes: a file with loans. Gives: a row for each scenario on standard output.
 */
import { writeFileSync } from 'node:fs';
import type { Warning } from '../core/warnings.ts';
import { askStress, type StressAnswer } from '../desk/ask-stress.ts';
import { type DeskParts, dataOf, tapeOf } from '../desk/assemble.ts';
import { cutText, type DeskResult } from '../desk/result.ts';
import { ageSentence, owedWords } from '../desk/sentences.ts';
import { lossShare } from '../desk/tranche-sentences.ts';
import type { ValuedTape } from '../desk/value-tape.ts';
import {
  counted,
  dayText,
  levelText,
  listed,
  percent,
  simulatedUsd,
  simulationText,
  usd,
} from '../desk/words.ts';
import { engineVersion } from '../host/engine-version.ts';
import { marketDataText } from '../market/market-data.ts';
import { modelTerms } from '../question/report/valuing.ts';
import { scenarioLibrary } from '../question/scenario/scenario.ts';
import { noteSentences, unusedSentences } from '../tape/remarks.ts';
import { formatHour } from '../text/calendar-date.ts';
import { show } from '../text/message.ts';
import { printable } from '../text/printable.ts';
import { valueOrPrint } from './book-tape.ts';
import { readOrPrint, requireWritable, written } from './input.ts';
import { type Environment, EXIT, formatTable, type Output, STANDARD_OUTPUT } from './output.ts';
import { LONG_RUN, ownAsk, printFailures, withOwnRisk } from './own-risk.ts';
import { readTapeFile, withColumnsFile } from './tape-file.ts';
import type { StressOptions } from './tape-options.ts';

/** The content of `stress --json`: the scenarios, with all that repeats them. */
export interface StressResult {
  /** ISO moment. */
  readonly MadeAt: string;
  readonly Tape: Omit<DeskResult['Tape'], 'Source'>;
  readonly Data: Omit<DeskResult['Data'], 'Volumes'>;
  readonly Run: Omit<DeskResult['Run'], 'Types' | 'Headline' | 'Paths'> & {
    readonly Type: string;
    /** Of each scenario; 0 without a simulation, null where the methodology draws none. */
    readonly Paths: number | null;
  };
  readonly Scenarios: StressAnswer['Scenarios'];
  readonly Warnings: readonly Warning[];
}

interface StressParts extends Pick<DeskParts, 'market' | 'synthetic'> {
  readonly madeAt: Date;
  readonly tape: ValuedTape;
  readonly name: DeskParts['name'];
  readonly run: StressResult['Run'];
  readonly answer: StressAnswer;
}

function stressResult({ madeAt, tape, name, run, answer, ...market }: StressParts): StressResult {
  const { Source: _source, ...Tape } = tapeOf(name, tape);
  return {
    MadeAt: madeAt.toISOString(),
    Tape,
    Data: dataOf(tape, market),
    Run: run,
    Scenarios: answer.Scenarios,
    Warnings: answer.Warnings,
  };
}

/** Most names of loans left out. */
const MAX_SKIPPED = 30;

/** @returns 0 for an answer, 1 for faults of the tape or a refusal, 2 for a file that cannot be read or written */
export async function stressCommand(
  path: string,
  sent: StressOptions,
  environment: Environment,
  output: Output,
): Promise<number> {
  const read = await readOrPrint(async () => {
    const options = withColumnsFile(sent);
    requireWritable([options.json, options.saveColumns]);
    return { options, file: await readTapeFile(path, options.sheet) };
  }, output);
  if (read === undefined) return EXIT.notUnderstood;
  const { options, file } = read;
  return printFailures(
    () =>
      withOwnRisk({ ...environment, ...LONG_RUN }, async own => {
        const library = scenarioLibrary(own.config.scenarios);
        const unknown = (options.scenarios ?? []).filter(name => !library.has(name));
        if (unknown.length > 0)
          output.err(
            `--scenarios: unknown ${unknown.map(show).join(', ')}; there are ${[...library.keys()].join(', ')}\n`,
          );
        const market = own.risk.market.current();
        const now = new Date();
        const types = options.paths === 0 ? [] : [options.type];
        const tape = await valueOrPrint(path, file.table, options, types, market, now, output);
        if (tape === undefined || unknown.length > 0) return EXIT.refused;
        const skipped = [...new Set(tape.faults.map(({ id, line }) => id ?? `line ${line}`))];
        if (skipped.length > 0)
          output.err(
            `${counted(skipped.length, 'loan')}${owedWords({ Usd: tape.leftOut.usd, Unknown: tape.leftOut.unknown })} left out for their faults: ${printable(listed(skipped, MAX_SKIPPED))}.\n`,
          );
        const age = ageSentence({ AsOf: formatHour(24 * (tape.asOf + 1)), Behind: tape.behind });
        if (age !== '') output.err(`${age}\n`);
        const facts = [...tape.remarks, ...noteSentences(tape.notes), ...unusedSentences(tape.notUsed)];
        for (const fact of facts) output.err(`${printable(fact)}\n`);
        const answer = await askStress(ownAsk(own), options.type, tape.rows, modelTerms(options, tape));
        if (typeof answer === 'string') {
          output.err(`${answer}\n`);
          return EXIT.refused;
        }
        for (const { message } of answer.Warnings) output.err(`${message}\n`);
        const result = stressResult({
          madeAt: now,
          tape,
          name: { file: path, sha256: file.sha256 },
          market: marketDataText(market),
          synthetic: market.sample,
          run: runOf(options, engineVersion(), answer.Paths),
          answer,
        });
        const json = () => `${JSON.stringify(result, null, 2)}\n`;
        const { json: target } = options;
        if (target !== undefined && target !== STANDARD_OUTPUT)
          written(target, () => writeFileSync(target, json()));
        const sentences = result.Scenarios.flatMap(({ Until }) =>
          Until === undefined ? [] : [`${Until}\n`],
        );
        output.out(
          target === STANDARD_OUTPUT
            ? json()
            : `${titleOf(result)}\n${stressTable(result)}\n${sentences.join('')}`,
        );
        return EXIT.done;
      }),
    output,
  );
}

const runOf = (options: StressOptions, version: string, paths: number | null): StressResult['Run'] => ({
  Version: version,
  Seed: options.seed,
  Type: options.type,
  LookbackDays: options.lookbackDays,
  Paths: paths,
  HorizonDays: options.horizonDays,
  Levels: options.levels,
  SaleDelayHours: options.saleDelayHours,
  SaleCost: options.saleCost,
  Command: options.command,
});

/** What repeats the table: loans, data, methodology, paths, seed, version. */
const titleOf = ({ Tape, Data, Run }: StressResult): string =>
  `${counted(Tape.Loans, 'loan')}, data as of ${dayText(Data.AsOf)}, ${Data.Synthetic ? 'synthetic prices of the sample market' : Data.Market}; ${simulationText(Run.Type, Run.Paths)}, seed ${Run.Seed}, version ${Run.Version}`;

function stressTable({ Scenarios: scenarios, Run }: StressResult): string {
  const isSimulated = Run.Paths !== 0;
  const levels = isSimulated ? Run.Levels.map(String) : [];
  const tranches = [...new Set(scenarios.flatMap(({ Then }) => Object.keys(Then?.TrancheLossPct ?? {})))];
  const percentOf = (lost: number | null | undefined) => (lost == null ? '' : lossShare(lost));
  return formatTable(
    [
      'scenario',
      'highest LTV',
      'in call',
      'beyond liquidation',
      'called by its end',
      'liquidated',
      'closed out',
      'lost on the way, USD',
      ...(isSimulated ? ['then lost on average, USD'] : []),
      ...levels.map(q => `in the worst ${levelText(1 - Number(q))}, USD`),
      ...tranches.map(name => `lost on average of ${name}`),
    ],
    scenarios.map(({ Title, Ltv, Called, Liquidated, Replay, Then }) => [
      [Title, cutText({ Replay })].filter(text => text !== '').join(', '),
      percent(Replay === null ? Ltv : 1 / Replay.Lowest),
      String(Called.Loans),
      String(Liquidated.Loans),
      ...[Replay?.Called, Replay?.Liquidated, Replay?.ClosedOut].map(loans => String(loans ?? '')),
      Replay === null ? '' : usd(Math.round(Replay.Loss)),
      ...(isSimulated ? [Then === null ? 'no loan open' : simulatedUsd(Then.ExpectedLoss)] : []),
      ...levels.map(q => (Then === null ? '' : simulatedUsd(Then.LossCVar[q]))),
      ...tranches.map(name => percentOf(Then?.TrancheLossPct?.[name])),
    ]),
    1,
  );
}
