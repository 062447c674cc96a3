/** A request to the service from the command line or the console. */

export interface DeskQuestion {
  readonly path: string;
  readonly include?: string;
  /** Of `include=scenario`. */
  readonly scenario?: string;
  readonly seed?: number;
  /** The body of a POST; without it the request is a GET. */
  readonly body?: object;
  /** Receives the finished share of a back-test, 0 to 1. */
  readonly onProgress?: (share: number) => void;
}

export interface Reply {
  readonly ok: boolean;
  readonly text: string;
}
export type Ask = (question: DeskQuestion) => Promise<Reply>;

export class DeskRefusal extends Error {
  override readonly name = 'DeskRefusal';
}

interface Problem {
  readonly detail?: string;
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
}

/** The problem document that a text is; without members where it is none. */
export function problemIn(text: string): Problem {
  try {
    return (JSON.parse(text) as Problem | null) ?? {};
  } catch {
    return {};
  }
}

/** The sentence of a problem document, and its first fault. */
export function detailOf(text: string): string {
  const { detail, errors = [] } = problemIn(text);
  return [detail ?? text, ...errors.slice(0, 1).map(({ message }) => message)].join(' ');
}
