/** Readers of option values, the options of several commands, and the command line as text. */
import { InvalidArgumentError, Option } from 'commander';
import { type Day, parseIsoDate } from '../text/calendar-date.ts';
import { shellWord } from '../text/shell-word.ts';
import type { Environment } from './output.ts';

/** The value of `--compare` for the last run of the folder. */
export const LAST = 'last';

/** Reads a number from `min` to `max`, both included. */
export const inRange =
  (min: number, max: number, isWhole = false) =>
  (text: string): number => {
    const value = Number(text);
    if (text.trim() === '' || !(value >= min && value <= max) || (isWhole && !Number.isInteger(value)))
      throw new InvalidArgumentError(`It must be a ${isWhole ? 'whole ' : ''}number from ${min} to ${max}.`);
    return value;
  };

export const seed = inRange(0, 2 ** 32 - 1, true);

export function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0 && Number.isFinite(value))) throw new InvalidArgumentError('It must be a number above 0.');
  return value;
}

/** Reads fractions one by one; the first one replaces the default. @param end they are below it */
export function fractions(end = 1, example = 0.99) {
  let named: readonly number[] = [];
  return (text: string): readonly number[] => {
    const value = Number(text);
    if (!(value > 0 && value < end))
      throw new InvalidArgumentError(`It must be a number between 0 and ${end}: ${example}.`);
    named = named.includes(value) ? named : [...named, value];
    return named;
  };
}

export function day(text: string): Day {
  const found = parseIsoDate(text);
  if (found === undefined) throw new InvalidArgumentError('It is a day, written YYYY-MM-DD.');
  return found;
}

/** A SHA-256 in hexadecimal. */
export function digest(text: string): string {
  if (!/^[0-9a-f]{64}$/.test(text)) throw new InvalidArgumentError('It must be 64 hexadecimal digits.');
  return text;
}

/** Whether a text is the address of a channel, which may have a query. It is a secret, which an InvalidArgumentError would show. */
export const isWebAddress = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text);

function serverAddress(text: string): string {
  if (!/^https?:\/\/[^?#\s]+$/i.test(text) || !URL.canParse(text))
    throw new InvalidArgumentError(
      'It must be an address that begins with http:// or https:// and has no query.',
    );
  return text;
}

export const urlOption = () =>
  new Option('--url <url>', 'ask the server at this address, with the key in API_KEY').argParser(
    serverAddress,
  );
export const seedOption = () => new Option('--seed <seed>', 'seed of the random numbers').argParser(seed);
export const computeOption = () =>
  new Option('--compute <engine>', 'engine to run on').choices(['auto', 'gpu', 'cpu']);
export const formatOption = () =>
  new Option('--format <format>', 'form of the answer').choices(['json', 'csv']).default('json');

/** The environment with the market store of an option instead of MARKET_DB. */
export const withMarket = (environment: Environment, market: string | undefined): Environment =>
  market === undefined ? environment : { ...environment, MARKET_DB: market };

/** The command line that repeats a result, without the address of a channel. @param words of the whole command line */
export const commandText = (words: readonly string[]): string =>
  ['collateral-risk-engine', ...withoutSecrets(words).map(shellWord)].join(' ');

/** The words without the address of the channel, which is a secret. */
const withoutSecrets = (words: readonly string[]): readonly string[] =>
  words.map((word, k) =>
    word.startsWith('--notify=') ? '--notify=URL' : words[k - 1] === '--notify' ? 'URL' : word,
  );
