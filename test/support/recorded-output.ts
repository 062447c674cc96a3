/** The exit code and the texts of a command. */
import type { Output } from '#src/cli/output.js';

export async function recorded<T>(work: (output: Output) => Promise<T>) {
  const out: string[] = [];
  const err: string[] = [];
  const code = await work({
    out: text => void out.push(text),
    err: text => void err.push(text),
    terminal: false,
  });
  return { code, out: out.join(''), err: err.join('') };
}
