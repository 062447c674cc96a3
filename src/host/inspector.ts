/** The inspector of Node, which SIGUSR1 opens by itself: users of the host could read keys and run code there. */

export function refuseInspector(log: { warn(text: string): void }): void {
  process.on('SIGUSR1', () => log.warn('SIGUSR1 is ignored: it does not open an inspector of this process'));
}
