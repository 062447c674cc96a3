/** What the first process and those that serve say to each other. Must not know: what is done with it. */

/** The figures of one process, in a form that only their source and `joinMetrics` know. */
export type ProcessMetrics = readonly object[];

/** From a process that serves. */
export type FromMember =
  | {
      readonly kind: 'serving';
      /** What the person who started the service is shown. */
      readonly banner: string;
      /** Socket at which the other processes reach this one. */
      readonly socket: string;
    }
  | { readonly kind: 'metrics-wanted'; readonly id: number }
  /** Its own figures; undefined where they could not be read. */
  | { readonly kind: 'own-metrics'; readonly metrics: ProcessMetrics | undefined }
  /** Why no request should come to it; empty where one may. Sent again and again, as a sign of life. */
  | { readonly kind: 'health'; readonly obstacles: readonly string[] };

/** To a process that serves. */
export type ToMember =
  | { readonly kind: 'stop'; readonly drainSeconds: number }
  /** Where jobs are kept; undefined where the receiver itself keeps them. */
  | { readonly kind: 'jobs-at'; readonly socket: string | undefined }
  /** To be answered with its own figures. */
  | { readonly kind: 'own-metrics-wanted' }
  /** Figures of all processes; no text where they could not be joined. */
  | { readonly kind: 'metrics'; readonly id: number; readonly text: string | undefined };
