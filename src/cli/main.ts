#!/usr/bin/env node
/**
 * The one command line of the package: collateral-risk-engine serve | worker | market | keys | audit | ask | account | advance-rate |
 * book | backtest | stress | bench.
 *
 * Each command loads its own code on demand, so that help and usage errors print at once.
 *
 * Exit codes: 0 done, 1 refused or failed, 2 not understood. Results go to standard output, everything else to standard error.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Command, CommanderError, Option } from 'commander';
import { engineVersion } from '../host/engine-version.ts';
import { OPERATION_PATHS } from '../question/request/paths.ts';
import { loadCommandConfig } from '../server/command-config.ts';
import { ConfigError } from '../server/config.ts';
import { generateKey } from '../server/keys/key-digest.ts';
import { KeyFileError, SCOPES, type Scope } from '../server/keys/key-file.ts';
import { addAccountCommand } from './account-command.ts';
import { addAdvanceRateCommand } from './advance-rate-command.ts';
import type { AskOptions } from './ask.ts';
import type { BacktestOptions } from './backtest.ts';
import { addBookCommand } from './book-command.ts';
import { createKey, keyLine, keyTable, revokeKey, rotateKey } from './keys.ts';
import {
  computeOption,
  digest,
  formatOption,
  inRange,
  positive,
  seedOption,
  urlOption,
  withMarket,
} from './options.ts';
import { guardCommand, processOutput } from './output.ts';
import { addStressCommand } from './stress-command.ts';

const USAGE_ERROR = 2;

const output = processOutput();

const packageFile = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Sets variables of the configuration from options; an option that is absent changes nothing. */
function setEnvironment(values: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(values)) if (value !== undefined) process.env[name] = value;
}

/** The commands that log, with a listener of their own. */
const LOGGING = ['serve', 'worker'];

const program = new Command('collateral-risk-engine')
  .description('Risk engine for crypto lending and perpetual futures.')
  .version(engineVersion(), '-V, --version', 'print the version')
  .helpOption('-h, --help', 'print this help')
  .helpCommand(false)
  .exitOverride()
  .showHelpAfterError('(add --help for the options)')
  .hook('preAction', (_, command) => {
    if (!LOGGING.includes(command.name())) guardCommand(output);
  })
  .addHelpText(
    'after',
    '\nThe server and its commands read the environment: docs/operations.md lists the variables.\n' +
      'Exit codes: 0 done, 1 refused or failed, 2 not understood.',
  );

program
  .command('serve')
  .description('serve requests over HTTP until stopped')
  .option('-p, --port <port>', 'port to listen on, 0 for a free one (PORT)')
  .option('--host <host>', 'address to listen on (HOST)')
  .option('--market <path>', 'market store, or "sample" (MARKET_DB)')
  .addOption(new Option('--compute <engine>', 'engines to offer (COMPUTE)').choices(['auto', 'gpu', 'cpu']))
  .action(async ({ port, host, market, compute }: Record<string, string | undefined>) => {
    setEnvironment({ PORT: port, HOST: host, MARKET_DB: market, COMPUTE: compute });
    await import('../main.ts');
  });

program
  .command('worker')
  .description('compute parts of large requests for the servers of a fleet until stopped')
  .option('--redis <url>', 'Redis of the fleet (REDIS_URL)')
  .option('--fleet <name>', 'name of the fleet (FLEET_NAME)')
  .option('--threads <threads>', 'worker threads (CPU_THREADS)')
  .action(async ({ redis, fleet, threads }: Record<string, string | undefined>) => {
    setEnvironment({ REDIS_URL: redis, FLEET_NAME: fleet, CPU_THREADS: threads });
    await import('./worker.ts');
  });

program
  .command('market')
  .description('import market data into the store, or list its series')
  .helpOption(false)
  .allowUnknownOption()
  .argument('[arguments...]', 'import <path>..., list; --help shows all')
  .action(async (words: string[]) => {
    const { marketDb: store, marketRules: rules, marketKeepDays: keepDays } = loadCommandConfig(process.env);
    const { runMarketCommand } = await import('./market.ts');
    process.exitCode = await runMarketCommand(words, { store, rules, keepDays }, output);
  });

const keys = program.command('keys').description('create, list, revoke and rotate keys');

const fileOption = () => new Option('--file <path>', 'file of keys').env('KEYS_FILE');

interface FileOption {
  readonly file?: string;
}

/** Ends with exit code 2 where no file is named; an empty KEYS_FILE names none. */
function fileOf({ file = '' }: FileOption): string {
  return file === '' ? keys.error('error: name the file of keys by --file or KEYS_FILE') : file;
}

interface CreateOptions extends FileOption {
  readonly json?: boolean;
  readonly name?: string;
  readonly scopes: Scope[];
  readonly days?: number;
  readonly workPerMinute?: number;
  readonly workPerDay?: number;
  readonly workPerMonth?: number;
  readonly concurrent?: number;
}

keys
  .command('create')
  .description('create a key and print it once; with --file or KEYS_FILE, store its digest there')
  .option('--json', 'print a JSON object')
  .addOption(fileOption())
  .option('--name <name>', 'owner of the key; required with a file')
  .addOption(
    new Option('--scopes <scopes...>', 'requests that the key allows')
      .choices([...SCOPES])
      .default(['operate']),
  )
  .addOption(new Option('--days <days>', 'days until it expires').argParser(positive))
  .addOption(
    new Option('--work-per-minute <steps>', 'asset-steps that the key may request').argParser(positive),
  )
  .addOption(new Option('--work-per-day <steps>', 'the same within a day (UTC)').argParser(positive))
  .addOption(new Option('--work-per-month <steps>', 'the same within a month (UTC)').argParser(positive))
  .addOption(
    new Option('--concurrent <requests>', 'requests at the same time').argParser(
      inRange(1, Number.MAX_SAFE_INTEGER, true),
    ),
  )
  .addHelpText('after', '\nWithout a file nothing stores the key, and --json is the only option.')
  .action(({ json = false, file = '', name, ...wanted }: CreateOptions, command: Command) => {
    if (file !== '') {
      if (name === undefined) command.error(`error: a key in ${file} needs a --name`);
      output.out(keyLine(createKey(file, { name, ...wanted }, new Date()), true, json));
      return;
    }
    const ignored = command.options
      .filter(each => each.long !== '--json' && command.getOptionValueSource(each.attributeName()) === 'cli')
      .map(({ long }) => long);
    if (ignored.length > 0)
      command.error(`error: ${ignored.join(', ')}: name the file of keys by --file or KEYS_FILE`);
    output.out(keyLine(generateKey(), true, json));
  });

keys
  .command('digest')
  .description('print the digest of a key read from standard input')
  .option('--json', 'print a JSON object')
  .action(({ json = false }: { json?: boolean }) => {
    let key: string;
    try {
      key = readFileSync(0, 'utf8').replace(/\r?\n$/, '');
    } catch (error) {
      throw new KeyFileError(`standard input cannot be read (${(error as NodeJS.ErrnoException).code})`);
    }
    output.out(keyLine(key, false, json));
  });

keys
  .command('list')
  .description('print the entries of a file of keys; it contains digests only')
  .addOption(fileOption())
  .action((options: FileOption) => output.out(keyTable(fileOf(options), new Date())));

keys
  .command('revoke')
  .description('revoke a key; servers refuse it within a second')
  .argument('<key>', 'its name or id')
  .addOption(fileOption())
  .action((key: string, options: FileOption) => {
    const { id, name } = revokeKey(fileOf(options), key, new Date());
    output.out(`revoked ${id} ${name}\n`);
  });

keys
  .command('rotate')
  .description('replace a key; the old one stays valid for --grace-hours')
  .argument('<key>', 'its name or id')
  .option('--json', 'print a JSON object')
  .addOption(
    new Option('--grace-hours <hours>', 'hours until the old key expires').argParser(positive).default(24),
  )
  .addOption(fileOption())
  .action((key: string, options: FileOption & { graceHours: number; json?: boolean }) =>
    output.out(
      keyLine(rotateKey(fileOf(options), key, options.graceHours, new Date()), true, options.json ?? false),
    ),
  );

program
  .command('audit')
  .description('check the chain of an audit file (AUDIT_FILE of a server)')
  .argument('<file>', 'the file, or a copy of it')
  .addOption(
    new Option(
      '--kept <digest>',
      'digest of a line that was kept elsewhere; the file must have it',
    ).argParser(digest),
  )
  .action(async (file: string, { kept }: { kept?: string }) => {
    const { checkAudit } = await import('./audit.ts');
    process.exitCode = await checkAudit(file, kept, output);
  });

program
  .command('ask')
  .description('answer one request; without --url no server is needed')
  .argument('<file>', 'JSON body of the request; - reads standard input')
  .addOption(urlOption())
  .addOption(
    new Option(
      '--operation <name>',
      'operation to call; by default the one with the members of the body',
    ).choices(OPERATION_PATHS.map(path => path.slice(1))),
  )
  .addOption(seedOption())
  .addOption(computeOption())
  .option('--include <members>', 'further members of the answer, with commas between')
  .option('--scenario <which>', 'with --include scenario: worst, a rank from 1, or a level such as 0.99')
  .option('--market <path>', 'without --url: market store, or "sample" (MARKET_DB)')
  .option(
    '--plan',
    'run the plan of a kept answer again: the file is an answer with Plan, and no market is read',
  )
  .addOption(formatOption())
  .action(
    async (file: string, { market, plan, ...options }: AskOptions & { market?: string; plan?: boolean }) => {
      if (plan) {
        const { askPlan } = await import('./ask-plan.ts');
        process.exitCode = await askPlan(file, options.compute ?? 'auto', process.env, output);
        return;
      }
      const { ask } = await import('./ask.ts');
      process.exitCode = await ask(file, options, withMarket(process.env, market), output);
    },
  );

program
  .command('mcp')
  .description('serve the questions as tools to agents, over the Model Context Protocol')
  .addOption(
    new Option(
      '--http <port>',
      'port of the loopback, 0 for a free one; standard input and output without it',
    ).argParser(inRange(0, 65_535, true)),
  )
  .addOption(new Option('--key <key>', 'with --http: key that callers send as Bearer').env('MCP_KEY'))
  .option('--market <path>', 'market store, or "sample" (MARKET_DB)')
  .action(
    async ({ market, ...options }: { market?: string; http?: number; key?: string }, command: Command) => {
      if (options.http !== undefined && !(options.key !== undefined && options.key.length >= 16))
        command.error('error: --http needs a key of at least 16 characters, by --key or MCP_KEY');
      const { serveMcp } = await import('./mcp.ts');
      process.exitCode = await serveMcp(options, withMarket(process.env, market), output);
    },
  );

addAccountCommand(program, process.env, output);

addAdvanceRateCommand(program, process.env, output);

addBookCommand(program, process.env, process.argv.slice(2), output);

program
  .command('backtest')
  .description('judge value at risk on past days; progress goes to standard error')
  .argument('[file]', 'JSON body of /backtest; without it or with -, standard input is read')
  .addOption(urlOption())
  .addOption(seedOption())
  .addOption(computeOption())
  .option('--market <path>', 'without --url: market store, or "sample" (MARKET_DB)')
  .addOption(formatOption())
  .action(async (file = '-', { market, ...options }: BacktestOptions & { market?: string }) => {
    const { backtestCommand } = await import('./backtest.ts');
    process.exitCode = await backtestCommand(file, options, withMarket(process.env, market), output);
  });

addStressCommand(program, process.env, process.argv.slice(2), output);

program
  .command('bench')
  .description('check and time the engines (in a checkout of the repository)')
  .helpOption(false)
  .allowUnknownOption()
  .argument('[arguments...]', 'those of the bench; --help shows them')
  .action(async (words: string[]) => {
    const entry = packageFile('build/bench/main.js');
    if (!existsSync(entry)) {
      output.err('The bench is part of the repository: run `npm run bench` there.\n');
      process.exitCode = 1;
      return;
    }
    process.argv = [process.argv[0], entry, ...words];
    await import(pathToFileURL(entry).href);
  });

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : USAGE_ERROR;
  else if (error instanceof ConfigError) {
    output.err(`The configuration is not valid.\n${error.message}\n`);
    process.exitCode = USAGE_ERROR;
  } else if (error instanceof KeyFileError) {
    output.err(`${error.message}\n`);
    process.exitCode = 1;
  } else throw error;
}
