/**
 * The facts of a request in the log in addition to path and status: enough to repeat the question with its body, and to see the
 * engine and data of the answer. Of the body only date, lookback and methodology are logged.
 */
import type { Fault } from '../../core/errors.ts';
import { formatFilled } from '../../market/market-data.ts';
import type { CheckedQuestion } from '../../question/asking.ts';
import type { OperationAnswer } from '../../question/question.ts';
import type { LogFacts } from '../transport/context.ts';
import { loggedPath } from './logged-names.ts';
import { gridName } from './serialize.ts';

const SHOWN_DIGITS = 8;
const MAX_PATHS = 20;

/** The key: the beginning of its digest, and its name where it has one. */
export const keyFacts = (digest: string, name: string | undefined): LogFacts => ({
  key: digest.slice(0, SHOWN_DIGITS),
  ...(name === undefined ? {} : { key_name: name }),
});

/** Facts of the question. */
export const questionFacts = (checked: CheckedQuestion): LogFacts => ({
  methodology: checked.methodology,
  analysis_date: checked.analysisDate,
  lookback: checked.lookback,
  asset_steps: checked.workload.work,
  seed: checked.seed,
  compute: checked.compute,
});

/** Facts of the answer: engine, data and times. */
export const answerFacts = ({ engine, basis, filled }: OperationAnswer): LogFacts => ({
  backend: engine.backend,
  device: engine.device,
  scenarios: basis.paths,
  grid: gridName(basis),
  filled: formatFilled(filled),
});

/** The paths of the faults, without names that a client has invented. */
export const faultFacts = (faults: readonly Fault[]): LogFacts =>
  faults.length === 0
    ? {}
    : {
        faults: faults.length,
        paths: faults.slice(0, MAX_PATHS).map(loggedPath),
      };
