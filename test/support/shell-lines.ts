/**
 * The commands in a fenced shell block, taken apart as far as checking them needs.
 *
 * Takes: the text of a block. Gives: commands as words. Understands quotes, continued lines, comments, `&&`, `;` and
 * pipes; nothing else of a shell.
 */

/** One command: what is set before it, and its words without quotes. */
export interface ShellCommand {
  /** The whole line that it stands in, as a shell would be given it. */
  readonly line: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly words: readonly string[];
}

const ASSIGNMENT = /^([A-Za-z_]\w*)=(.*)$/s;
const CONNECTIVES = ['&&', '||', ';', '|'];

/** Every command of a block, in order. */
export function shellCommands(block: string): ShellCommand[] {
  return logicalLines(block).flatMap(line => {
    const commands: string[][] = [[]];
    for (const word of wordsOf(line)) {
      if (CONNECTIVES.includes(word)) commands.push([]);
      else commands.at(-1)?.push(word);
    }
    return commands.map(words => {
      const firstWord = words.findIndex(word => !ASSIGNMENT.test(word));
      const assigned = words.slice(0, firstWord < 0 ? words.length : firstWord);
      const environment = assigned.map(word => (ASSIGNMENT.exec(word) as RegExpExecArray).slice(1, 3));
      return {
        line,
        environment: Object.fromEntries(environment) as Record<string, string>,
        words: words.slice(assigned.length).map(unquoted),
      };
    });
  });
}

/** Lines with their continuations: after a backslash, or inside quotes. */
function logicalLines(block: string): string[] {
  const lines: string[] = [];
  let open = '';
  for (const line of block.split('\n')) {
    open += line;
    if (/\\$/.test(line)) open = `${open.slice(0, -1)} `;
    else if (hasOpenQuote(open)) open += '\n';
    else {
      if (open.trim() !== '' && !open.trim().startsWith('#')) lines.push(open.trim());
      open = '';
    }
  }
  if (open !== '') throw new Error(`the command does not end: ${open}`);
  return lines;
}

const WORD = /(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\;|&#]|(?<=\S)#)+|&&|\|\||[;|]/gs;

const wordsOf = (line: string): string[] => line.replace(/\s#\s.*$/, '').match(WORD) ?? [];

const hasOpenQuote = (text: string): boolean =>
  /['"]/.test(text.replace(/'[^']*'|"(?:\\.|[^"\\])*"|\\./gs, ''));

const unquoted = (word: string): string =>
  word.replace(/'([^']*)'|"((?:\\.|[^"\\])*)"/gs, (_, single = '', double = '') => single + double);
