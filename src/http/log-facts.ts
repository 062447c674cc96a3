/**
 * What the log says of a request beside its path and status: enough to ask the same question again with the body at
 * hand, and to see what the answer came from. Never a value of the body but its date, lookback and methodology.
 */
import type { Fault } from '../core/errors.ts';
import { formatFilled } from '../market/market-data.ts';
import type { OperationAnswer } from '../question/question.ts';
import type { LogFacts } from './context.ts';
import type { Compute } from './headers.ts';
import type { PreparedRequest } from './route.ts';
import { gridName } from './serialize.ts';

const SHOWN_DIGITS = 8;
const MAX_PATHS = 20;
const LONGEST_PATH = 100;

/** Which of the known keys was sent: the beginning of its digest, and its name where it has one. */
export const keyFacts = (digest: string, name: string | undefined): LogFacts => ({
  key: digest.slice(0, SHOWN_DIGITS),
  ...(name === undefined ? {} : { key_name: name }),
});

/** What the request says. */
export const questionFacts = (request: PreparedRequest, seed: number, compute: Compute): LogFacts => ({
  methodology: request.methodology,
  analysis_date: request.analysisDate,
  lookback: request.lookback,
  asset_steps: request.workload.work,
  seed,
  compute,
});

/** What the answer came from. */
export const answerFacts = ({ engine, basis, filled }: OperationAnswer): LogFacts => ({
  backend: engine.backend,
  device: engine.device,
  scenarios: basis.paths,
  grid: gridName(basis),
  filled: formatFilled(filled),
});

/** Where the faults are. A path can hold a name that the caller made up, so it is shortened. */
export const faultFacts = (faults: readonly Fault[]): LogFacts =>
  faults.length === 0
    ? {}
    : {
        faults: faults.length,
        paths: faults.slice(0, MAX_PATHS).map(({ path }) => path.slice(0, LONGEST_PATH)),
      };
