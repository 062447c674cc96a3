/** What is installed is what was reviewed: each package of the lock file carries the hash of its archive. */
import { readFileSync } from 'node:fs';
import { satisfies } from 'semver';
import { describe, expect, it } from 'vitest';

interface Entry {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly dev?: boolean;
  readonly engines?: { readonly node?: string };
}

const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as {
  readonly packages: Readonly<Record<string, Entry>>;
};
const installed = Object.entries(lock.packages).filter(
  ([path, { link }]) => path.startsWith('node_modules/') && link !== true,
);

/**
 * Builds of the linter for other platforms, which `scripts/lock-integrity.mjs` completes where the registry has them. No server
 * installs one (docs/decisions/dependencies.md).
 */
const WITHOUT_HASH = [
  '@biomejs/cli-android-arm64',
  '@biomejs/cli-android-x64',
  '@biomejs/cli-darwin-arm64',
  '@biomejs/cli-darwin-x64',
  '@biomejs/cli-linux-arm64-musl',
  '@biomejs/cli-linux-x64-musl',
  '@biomejs/cli-win32-arm64',
  '@biomejs/cli-win32-x64',
].map(name => `node_modules/${name}`);

describe('The lock file', () => {
  it('has the SHA-512 of every package but those that are known to lack it', () => {
    const lacking = installed.filter(
      ([, { integrity = '' }]) => !/^sha512-[A-Za-z0-9+/]{86}==/.test(integrity),
    );
    expect(lacking.map(([path]) => path).filter(path => !WITHOUT_HASH.includes(path))).toEqual([]);
    for (const [path, { optional, dev }] of lacking)
      expect([path, optional, dev]).toEqual([path, true, true]);
  });

  /** npm prints EBADENGINE for each package that does not declare the Node it runs on. */
  it.each(['20.19.0', '22.13.0', '24.0.0'])('holds packages only that declare Node %s', node => {
    const refusing = installed.filter(([, { engines }]) => !satisfies(node, engines?.node ?? '*'));
    expect(refusing.map(([path, { engines }]) => `${path}: ${engines?.node}`)).toEqual([]);
  });

  it('names no registry', () => {
    expect(installed.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
  });
});
