/** Figures with their intervals, and the ways to take them elsewhere. */
import { useState } from 'preact/hooks';
import { apiKey } from '../state/session.ts';
import { figure } from './format.ts';
import { Scroll } from './scroll.tsx';

/** One figure of `Accuracy`; members of other figures are absent. */
export interface FigureAccuracy {
  readonly low?: number | null;
  readonly high?: number | null;
  readonly standard_error?: number | null;
  readonly exact?: number;
  readonly method?: string;
}

export type Figures = Readonly<Record<string, number>>;

export function FigureTable({
  figures,
  accuracy,
}: {
  figures: Figures;
  accuracy: Readonly<Record<string, FigureAccuracy>> | undefined;
}) {
  return (
    <Scroll label="Figures">
      <table class="figures">
        <thead>
          <tr>
            <th scope="col">Figure</th>
            <th scope="col">Value</th>
            <th scope="col">Interval</th>
            <th scope="col">Exact</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(figures).map(([name, value]) => {
            const { low, high, exact } = accuracy?.[name] ?? {};
            return (
              <tr key={name} data-figure={name}>
                <th scope="row">{name}</th>
                <td data-value={value}>{figure(name, value)}</td>
                <td>{low != null && high != null ? `${figure(name, low)} to ${figure(name, high)}` : ''}</td>
                <td>{exact === undefined ? '' : figure(name, exact)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Scroll>
  );
}

/** The request as a shell command; the key stays out of it. */
export const asCurl = (path: string, body: unknown, seed: string) =>
  `curl -s ${location.origin}${path} -H "x-api-key: $API_KEY" -H 'x-seed: ${seed}' -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;

/** The request as a Python program. */
export const asPython = (path: string, body: unknown, seed: string) => `import os
import requests

answer = requests.post(
    "${location.origin}${path}",
    headers={"x-api-key": os.environ["API_KEY"], "x-seed": "${seed}"},
    json=${pythonLiteral(body)},
    timeout=120,
)
answer.raise_for_status()
print(answer.json()["Output" if "Output" in answer.json() else "Results"])
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

/** Rows of name, value, low, high. */
export function asCsv(
  figures: Figures,
  accuracy: Readonly<Record<string, FigureAccuracy>> | undefined,
): string {
  const rows = Object.entries(figures).map(([name, value]) =>
    [JSON.stringify(name), value, accuracy?.[name]?.low ?? '', accuracy?.[name]?.high ?? ''].join(','),
  );
  return ['figure,value,low,high', ...rows, ''].join('\n');
}

/** Buttons that copy texts; each says for a moment that it has done so. */
export function CopyButtons({ texts }: { texts: Readonly<Record<string, () => string>> }) {
  const [copied, setCopied] = useState('');
  return (
    <fieldset class="copy">
      <legend class="visually-hidden">Copy</legend>
      {Object.entries(texts).map(([name, text]) => (
        <button
          type="button"
          class="quiet"
          key={name}
          onClick={async () => {
            await navigator.clipboard.writeText(text());
            setCopied(name);
          }}
        >
          {copied === name ? `${name} copied` : `Copy ${name}`}
        </button>
      ))}
      <span class="visually-hidden" role="status">
        {copied === '' ? '' : `${copied} copied`}
      </span>
    </fieldset>
  );
}

/** Asks for the key while there is none. */
export function KeyPrompt() {
  return apiKey.value === '' ? (
    <p class="notice">Enter an API key at the top of the page. It stays in this tab.</p>
  ) : null;
}
