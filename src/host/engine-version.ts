/** The version of the engine: that of the package, and the build. */
import { readFileSync } from 'node:fs';

const read = (path: string) => JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'));

/** The name of the interface, which clients compare with their own (client/generate.mjs). */
export const interfaceName = (): string => (read('dist/interface.json') as { interface: string }).interface;

/**
 * `0.5.0+5bc6d4807f3e`: after the plus sign the commit of the build, or `build.` and a digest of its sources where they are those of no
 * commit (scripts/build.mjs). A bare `0.5.0` is no build.
 */
export function engineVersion(): string {
  const { version } = read('package.json') as { version: string };
  const { build } = read('dist/build.json') as { build: string };
  return `${version}+${build}`;
}
