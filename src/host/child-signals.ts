/** Signals to the group of processes of a server are for the server, which ends its children when it has stopped. */

/** SIGUSR1 would open the inspector of Node. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const;

/** Ignores the signals in this process. */
export function leaveSignalsToServer(): void {
  for (const signal of SIGNALS) process.on(signal, () => {});
}
