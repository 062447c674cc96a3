#!/usr/bin/env node
/**
 * The one command line of the package: collateral-risk-engine serve | worker | market | keys | audit | ask | account | advance-rate |
 * book | backtest | stress | bench.
 *
 * Each command loads its own code on demand, so that usage errors print at once.
 *
 * Exit codes: 0 done, 1 refused or failed, 2 not understood. Results go to standard output, everything else to standard error.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Command, CommanderError, Option } from 'commander';
import { engineVersion } from '../host/engine-version.ts';
import { OPERATION_PATHS } from '../question/request/paths.ts';
import type { AskOptions } from './ask.ts';
import type { BacktestOptions } from './backtest.ts';
import {
  computeOption,
  digest,
  formatOption,
  inRange,
  seedOption,
  urlOption,
  withMarket,
} from './options.ts';
import { guardCommand, processOutput } from './output.ts';

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
  .configureHelp({ sortSubcommands: true })
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
    const { loadCommandConfig } = await import('../server/command-config.ts');
    const { marketDb: store, marketRules: rules, marketKeepDays: keepDays } = loadCommandConfig(process.env);
    const { runMarketCommand } = await import('./market.ts');
    process.exitCode = await runMarketCommand(words, { store, rules, keepDays }, output);
  });

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

const words = process.argv.slice(2);
const [named = ''] = words;

/** The commands whose options name methodologies, columns of a tape or scopes, which take longer to load than all others. */
const OF_NAMES: Readonly<Record<string, () => Promise<void>>> = {
  account: async () => (await import('./account-command.ts')).addAccountCommand(program, process.env, output),
  'advance-rate': async () =>
    (await import('./advance-rate-command.ts')).addAdvanceRateCommand(program, process.env, output),
  book: async () => (await import('./book-command.ts')).addBookCommand(program, process.env, words, output),
  keys: async () => (await import('./keys-command.ts')).addKeysCommand(program, output),
  stress: async () =>
    (await import('./stress-command.ts')).addStressCommand(program, process.env, words, output),
};
const isNamed = Object.hasOwn(OF_NAMES, named) || program.commands.some(command => command.name() === named);
for (const [name, add] of Object.entries(OF_NAMES)) if (!isNamed || name === named) await add();

/** What is told of an error, and the exit code; undefined for one that a user cannot cause. */
async function told(error: unknown): Promise<readonly [text: string, code: number] | undefined> {
  const { ConfigError } = await import('../server/config.ts');
  if (error instanceof ConfigError)
    return [`The configuration is not valid.\n${error.message}\n`, USAGE_ERROR];
  const { KeyFileError } = await import('../server/keys/key-file.ts');
  return error instanceof KeyFileError ? [`${error.message}\n`, 1] : undefined;
}

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : USAGE_ERROR;
  else {
    const [text, code] = (await told(error)) ?? [];
    if (text === undefined) throw error;
    output.err(text);
    process.exitCode = code;
  }
}
