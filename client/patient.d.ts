export function patientFetch(options?: {
  readonly fetch?: (request: Request) => Promise<Response>;
  readonly retries?: number;
  readonly deadlineSeconds?: number;
  readonly atOnce?: number;
}): (input: string | Request, init?: RequestInit) => Promise<Response>;
