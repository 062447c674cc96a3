/**
 * The attacks that the tables of the interface make: each operation with each methodology on each engine, as large as a server takes it.
 *
 * Must not know: servers, callers.
 */
import { METHODOLOGIES, type MethodologyName } from '#src/models/methodology/methodologies.js';
import { EXAMPLES } from '#src/server/openapi/examples.js';
import { headerParameters } from '#src/server/openapi/headers.js';

export interface QuestionAttack {
  /** Operation, methodology and, of a perpetual, contract, then the engine. */
  readonly name: string;
  readonly path: string;
  /** `x-compute`. */
  readonly compute: string;
  /** Bodies from the largest on; the attack uses the first that the server takes. */
  readonly bodies: readonly object[];
}

type Body = Readonly<Record<string, unknown>>;

/** Long terms of what an example has. */
const LONG: Body = {
  loan_duration: 365,
  trade_duration_hours: 8760,
  var_duration: [1, 30, 365],
};
/** Days of the window: fits take longer on more, and replays have more windows. */
const LOOKBACK = 1500;
/** Numbers of paths as powers of two. */
const [MOST_PATHS, FEWEST_PATHS] = [24, 10];

/** The example with more of everything, then with less. */
function enlarged(example: Body): object[] {
  const params = (example.params ?? example) as Body;
  const withMembers = (members: Body) =>
    example.params === undefined
      ? { ...example, ...members }
      : { ...example, params: { ...params, ...members } };
  const long = Object.fromEntries(Object.entries(LONG).filter(([name]) => name in params));
  const powers = Array.from({ length: MOST_PATHS - FEWEST_PATHS + 1 }, (_, i) => MOST_PATHS - i);
  const paths: Body[] = 'mc_iter' in params ? powers.map(power => ({ mc_iter: 2 ** power })) : [{}];
  return [{ ...long, model_lookback: LOOKBACK }, { model_lookback: LOOKBACK }, {}].flatMap(members =>
    paths.map(sized => withMembers({ ...members, ...sized })),
  );
}

export const attackName = (path: string, tags: readonly (string | undefined)[], compute: string): string =>
  [path.slice(1), ...tags.filter(tag => tag !== undefined), compute].join(' ');

/** Windows of history run on the processor alone. */
const runsOn = (compute: string, { type, model }: Body): boolean =>
  compute !== 'gpu' || METHODOLOGIES[(type ?? model) as MethodologyName].draws;

export const QUESTION_ATTACKS: readonly QuestionAttack[] = headerParameters.compute.schema.enum.flatMap(
  compute =>
    Object.entries(EXAMPLES).flatMap(([path, examples]) =>
      examples
        .filter(example => runsOn(compute, example))
        .map(example => ({
          name: attackName(
            path,
            [example.type, example.model, example.contract_type as string | undefined],
            compute,
          ),
          ...{ path, compute },
          bodies: enlarged(example),
        })),
    ),
);
