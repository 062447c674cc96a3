/** The command of the market store as whoever started this process can call it. */
import { basename, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGE = 'collateral-risk-engine';
const FILE = fileURLToPath(new URL('../cli/main.js', import.meta.url));

/** By the name of an installed package, by the script of npm, or, as in an image, by its file. */
export function marketCommand({ argv, env }: Pick<NodeJS.Process, 'argv' | 'env'> = process): string {
  if (basename(argv[1] ?? '') === PACKAGE) return `${PACKAGE} market`;
  return env.npm_package_name === PACKAGE
    ? 'npm run market --'
    : `node ${relative(process.cwd(), FILE)} market`;
}
