/** The commands of `keys`. */
import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { generateKey } from '../server/keys/key-digest.ts';
import { KeyFileError, SCOPES, type Scope } from '../server/keys/key-file.ts';
import { createKey, keyLine, keyTable, revokeKey, rotateKey } from './keys.ts';
import { inRange, positive } from './options.ts';
import type { Output } from './output.ts';

const fileOption = () => new Option('--file <path>', 'file of keys').env('KEYS_FILE');

interface FileOption {
  readonly file?: string;
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

export function addKeysCommand(program: Command, output: Output): void {
  const keys = program.command('keys').description('create, list, revoke and rotate keys');

  /** Ends with exit code 2 where no file is named; an empty KEYS_FILE names none. */
  function fileOf({ file = '' }: FileOption): string {
    return file === '' ? keys.error('error: name the file of keys by --file or KEYS_FILE') : file;
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
        .filter(
          each => each.long !== '--json' && command.getOptionValueSource(each.attributeName()) === 'cli',
        )
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
}
