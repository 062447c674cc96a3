/**
 * A device whose exponentials, logarithms and roots have the largest errors that WGSL allows ("Floating Point Accuracy"), of a sign
 * that changes with the last digits of the argument. The software driver of the tests is more accurate than a GPU may be.
 */
import type { GpuHost } from '#src/core/gpu/session.js';
import { nodeHost } from '#src/engine/gpu-process/read-shader.js';

const sign = (argument: string) => `sign(fract(8191.0 * (${argument})) - 0.5)`;

/** What takes the place of a call, of a number or a vector. */
const ROUGH: Readonly<Record<string, (call: string, argument: string) => string>> = {
  // 3 + 2 |x| units in the last place, which are 2^-23 of the value at most.
  exp2: (call, x) => `(${call} * (1.0 + 0x1p-23 * (3.0 + 2.0 * abs(${x})) * ${sign(x)}))`,
  // 2^-21 for arguments between 1/2 and 2; 3 units in the last place beyond, which may be more.
  log2: (call, x) => `(${call} + 0x1p-21 * ${sign(x)})`,
  // As 1 / inverseSqrt(x): two units of that and two and a half of the quotient.
  sqrt: (call, x) => `(${call} * (1.0 + 4.5 * 0x1p-23 * ${sign(x)}))`,
};

/** The text of a shader with rough functions. */
function roughened(text: string): string {
  const call = /\b(exp2|log2|sqrt)\(/g;
  let result = '';
  let from = 0;
  for (let found = call.exec(text); found !== null; found = call.exec(text)) {
    const isComment = text.lastIndexOf('//', found.index) > text.lastIndexOf('\n', found.index);
    if (isComment) continue;
    const first = call.lastIndex;
    let end = first;
    for (let open = 1; open > 0; end++) open += text[end] === '(' ? 1 : text[end] === ')' ? -1 : 0;
    const argument = roughened(text.slice(first, end - 1));
    result += text.slice(from, found.index) + ROUGH[found[1]](`${found[1]}(${argument})`, argument);
    from = end;
    call.lastIndex = end;
  }
  return result + text.slice(from);
}

/** Quotients of single precision by a difference, two and a half units in the last place too large. */
const roughQuotients = (text: string): string =>
  text.replace(/ \/ \(1\.0 - \w+\)/g, '$& * (1.0 + 2.5 * 0x1p-23)');

export const roughHost: GpuHost = {
  ...nodeHost,
  loadShader: async name => roughQuotients(roughened(await nodeHost.loadShader(name))),
};
