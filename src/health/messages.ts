/** What a process and its health thread say to each other. Must not know: what is done with it. */

/** To the thread. */
export type ToHealthThread =
  | { readonly kind: 'report'; readonly source: number; readonly obstacles: readonly string[] }
  | { readonly kind: 'forget'; readonly source: number };

/** From the thread, once. */
export type FromHealthThread =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'failed'; readonly message: string };

/** Where the thread listens. */
export interface HealthAddress {
  readonly host: string;
  readonly port: number;
}
