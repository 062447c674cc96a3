/** Joins WGSL files into one module, with the origin of every line. */

/** Reads the text of a file under shaders/, by its path there. */
export type LoadShader = (name: string) => Promise<string>;

/** One WGSL file: its path under shaders/ and its text. */
interface ShaderFile {
  readonly name: string;
  readonly text: string;
}

/** Joined WGSL and the origin of its lines. */
interface ShaderSource {
  readonly code: string;
  /** File and line (from 1) of a line (from 1) of `code`. */
  origin(line: number): string;
}

/** Directives are valid only before the declarations of a module. */
const DIRECTIVE = /^\s*(enable|requires|diagnostic)\b/;

/** Joins files in the order given; directives are moved to the top, each file gets a banner line. */
export function joinShaderFiles(files: readonly ShaderFile[]): ShaderSource {
  const directives: { text: string; from: string }[] = [];
  const body: { text: string; from: string }[] = [];
  for (const { name, text } of files) {
    body.push({ text: `// ---- ${name}`, from: name });
    for (const [index, line] of text.split('\n').entries()) {
      const target = DIRECTIVE.test(line) ? directives : body;
      target.push({ text: line, from: `${name}:${index + 1}` });
    }
  }
  const lines = [...directives, ...body];
  return {
    code: lines.map(line => line.text).join('\n'),
    origin: line => lines[line - 1]?.from ?? 'unknown line',
  };
}
