/** The command line that repeats a result, without the address of a channel. */

/** @param words of the whole command line */
export const commandText = (words: readonly string[]): string =>
  ['collateral-risk-engine', ...withoutSecrets(words).map(quoted)].join(' ');

/** The words without the address of the channel, which is a secret. */
const withoutSecrets = (words: readonly string[]): readonly string[] =>
  words.map((word, k) =>
    word.startsWith('--notify=') ? '--notify=URL' : words[k - 1] === '--notify' ? 'URL' : word,
  );

/** A word in the quotes of a shell. */
const quoted = (word: string) =>
  /^[\w./:=@%,+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
