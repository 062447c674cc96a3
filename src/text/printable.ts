/** Names of files and series for a terminal: control characters would move its cursor or change its colours. */

/** Control characters and those that turn the direction of writing. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the search is for these.
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** The text with each unprintable character as its code: `a\u{1b}b`. */
export const printable = (text: string): string =>
  text.replace(UNPRINTABLE, character => `\\u{${(character.codePointAt(0) as number).toString(16)}}`);

/** The same for a text of several lines. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n');
