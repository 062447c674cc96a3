/** A request as the text of another tool. The key stays out of it: it is read from the variable API_KEY. */

/** How a request is sent: all that its answer depends on beside the data. */
export interface SentRequest {
  readonly path: string;
  readonly body: unknown;
  readonly seed: string;
}

/** A path with query parameters. */
export const withQuery = <P extends string>(path: P, query: Readonly<Record<string, string>>): P => {
  const text = new URLSearchParams(query).toString();
  return (text === '' ? path : `${path}?${text}`) as P;
};

/** A text as one word of a POSIX shell. */
const shellWord = (text: string) => `'${text.replace(/'/g, `'\\''`)}'`;

/** A shell command. */
export const asCurl = ({ path, body, seed }: SentRequest) =>
  `curl -s ${shellWord(location.origin + path)} -H "x-api-key: $API_KEY" -H ${shellWord(`x-seed: ${seed}`)} ` +
  `-H 'Content-Type: application/json' -d ${shellWord(JSON.stringify(body))}`;

/** A Python program. */
export const asPython = ({ path, body, seed }: SentRequest) => `import os
import requests

answer = requests.post(
    ${JSON.stringify(location.origin + path)},
    headers={"x-api-key": os.environ["API_KEY"], "x-seed": ${JSON.stringify(seed)}},
    json=${pythonLiteral(body)},
    timeout=120,
)
answer.raise_for_status()
result = answer.json()
print(result.get("Output", result.get("Results")))
`;

/** A JSON value in the notation of Python. */
function pythonLiteral(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`;
  if (typeof value === 'object')
    return `{${Object.entries(value)
      .map(([name, member]) => `${JSON.stringify(name)}: ${pythonLiteral(member)}`)
      .join(', ')}}`;
  return JSON.stringify(value);
}
