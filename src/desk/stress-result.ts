/** The content of `stress --json`: the scenarios, with all that repeats them. */
import type { Warning } from '../core/warnings.ts';
import type { StressAnswer } from './ask-stress.ts';
import { type DeskParts, dataOf, tapeOf } from './assemble.ts';
import type { DeskResult } from './result.ts';
import type { ValuedTape } from './value-tape.ts';

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

export interface StressParts extends Pick<DeskParts, 'market' | 'synthetic'> {
  readonly madeAt: Date;
  readonly tape: ValuedTape;
  readonly name: DeskParts['name'];
  readonly run: StressResult['Run'];
  readonly answer: StressAnswer;
}

export function stressResult({ madeAt, tape, name, run, answer, ...market }: StressParts): StressResult {
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
