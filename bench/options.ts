/** The command line of the bench. */
import { parseArgs } from 'node:util';
import { ENGINES } from './engines.ts';
import { PLANS } from './plans.ts';

/** Parts of the report. */
export const SECTIONS = ['plans', 'growth', 'kernels', 'workgroups', 'http', 'peers'] as const;
export type Section = (typeof SECTIONS)[number];

export interface Options {
  /** Names of plans, or beginnings of names (`isChosen`); empty for all. */
  readonly only: readonly string[];
  /** The same of engines. */
  readonly engine: readonly string[];
  readonly sections: readonly Section[];
  /** Two minutes at most: one process each, little work. */
  readonly quick: boolean;
  /** Fail where there is no GPU. */
  readonly requireGpu: boolean;
  /** Processes per measurement; medians are over them. */
  readonly processes: number;
  /** Folder with the programs of others; undefined leaves them out. */
  readonly peers: string | undefined;
  /** The Python that peers run under. */
  readonly python: string;
  /** Where the report is written; undefined writes none. */
  readonly out: string | undefined;
}

export const USAGE = `npm run bench -- [options]

  --only NAME        a plan, or all whose name begins so (repeatable): ${PLANS.map(plan => plan.name).join(', ')}
  --engine NAME      an engine, or all whose name begins so (repeatable): ${ENGINES.map(engine => engine.name).join(', ')}
  --section NAME     parts of the report (repeatable): ${SECTIONS.join(', ')}; all but peers unless given
  --peers [FOLDER]   build and run the peers too; the folder is ../shared/peers unless given
  --python COMMAND   the Python of the peers, python3 unless given
  --processes N      processes per measurement, 5 unless given
  --gpu              fail where there is no GPU
  --quick            a smoke test of two minutes at most: plans and HTTP unless --section is given; with --out all of it, and a report
  --out FOLDER       where the report is written, bench/results unless given
`;

/**
 * Reads the command line.
 *
 * @throws Error with a line for the user
 */
export function readOptions(sent: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...sent],
    allowPositionals: true,
    options: {
      only: { type: 'string', multiple: true, default: [] },
      engine: { type: 'string', multiple: true, default: [] },
      section: { type: 'string', multiple: true, default: [] },
      peers: { type: 'boolean', default: false },
      python: { type: 'string', default: 'python3' },
      processes: { type: 'string' },
      gpu: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      out: { type: 'string' },
    },
  });
  if (positionals.length > (values.peers ? 1 : 0))
    throw new Error(`Not understood: ${positionals.join(' ')}`);
  known('plan', values.only, PLANS);
  known('engine', values.engine, ENGINES);
  known(
    'section',
    values.section,
    SECTIONS.map(name => ({ name })),
  );
  const processes = Number(values.processes ?? (values.quick ? 1 : 5));
  if (!Number.isInteger(processes) || processes < 1) {
    throw new Error(`--processes must be a whole number from 1, not ${values.processes}.`);
  }
  const named = values.section as Section[];
  const usual = SECTIONS.filter(section =>
    section === 'peers' ? values.peers : !values.quick || section === 'plans' || section === 'http',
  );
  const sections =
    named.length === 0 ? usual : values.peers ? [...new Set([...named, 'peers' as const])] : named;
  return {
    only: values.only,
    engine: values.engine,
    sections,
    quick: values.quick,
    requireGpu: values.gpu,
    processes,
    peers: sections.includes('peers') ? (positionals[0] ?? '../shared/peers') : undefined,
    python: values.python,
    out: values.out ?? (values.quick ? undefined : 'bench/results'),
  };
}

const NAMES = new Set([...PLANS, ...ENGINES].map(({ name }) => name));

/** Whether a name is in a list of names and of beginnings of names. A whole name is no beginning: `gpu` is not `gpu-software`, too. */
export function isChosen(name: string, chosen: readonly string[]): boolean {
  return (
    chosen.length === 0 || chosen.some(each => (NAMES.has(each) ? name === each : name.startsWith(each)))
  );
}

function known(
  what: string,
  beginnings: readonly string[],
  table: readonly { readonly name: string }[],
): void {
  const stray = beginnings.filter(beginning => !table.some(({ name }) => name.startsWith(beginning)));
  if (stray.length === 0) return;
  const names = table.map(({ name }) => name).join(', ');
  throw new Error(`There is no ${what} "${stray.join('", "')}"; there are ${names}.`);
}
