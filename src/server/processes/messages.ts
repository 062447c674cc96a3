/** Messages between the primary process and the server processes. Must not know: what is done with them. */

/** The metrics of one process, in a form that only their source and `joinMetrics` know. */
export type ProcessMetrics = readonly object[];

/** From a server process. */
export type FromServer =
  | {
      readonly kind: 'serving';
      /** The banner of the service. */
      readonly banner: string;
      /** Socket at which the other processes reach this one. */
      readonly socket: string;
    }
  | { readonly kind: 'metrics-wanted'; readonly id: number }
  /** Its own metrics; undefined where they could not be read. */
  | { readonly kind: 'own-metrics'; readonly metrics: ProcessMetrics | undefined }
  /** Why it is not ready; empty where it is. Sent periodically, as a heartbeat. */
  | { readonly kind: 'health'; readonly obstacles: readonly string[] };

/** To a server process. */
export type ToServer =
  | { readonly kind: 'stop'; readonly drainSeconds: number }
  /** Socket of the process that stores the jobs; undefined where the receiver does. */
  | { readonly kind: 'jobs-at'; readonly socket: string | undefined }
  /** Asks for the metrics of the receiver. */
  | { readonly kind: 'own-metrics-wanted' }
  /** Metrics of all processes; no text where they could not be joined. */
  | { readonly kind: 'metrics'; readonly id: number; readonly text: string | undefined };
