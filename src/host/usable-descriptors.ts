/** The number of files and connections that this process may have open. */

/** Beside connections: the store, standard streams, sockets to other stores, calibration threads, the port for probes. */
const OTHER_DESCRIPTORS = 100;
/** Of a worker thread of the CPU engine: four, and room for two more. */
const THREAD_DESCRIPTORS = 6;
const MIN_CONNECTIONS = 16;

let limit: number | undefined;

/** The limit of this process (`ulimit -n`); infinite where there is none or the system does not report it. */
export const descriptorLimit = (): number => (limit ??= readLimit());

function readLimit(): number {
  // Otherwise the report looks up names in the network.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft: number | 'unlimited' } };
  };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : Number.POSITIVE_INFINITY;
}

/** Connections that leave enough of `limit` descriptors for everything else, at least 16. */
export function mostConnections(limit: number, threads: number): number {
  return Math.max(MIN_CONNECTIONS, limit - OTHER_DESCRIPTORS - threads * THREAD_DESCRIPTORS);
}
