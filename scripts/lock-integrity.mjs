/**
 * Completes package-lock.json with the hashes that npm left out: npm writes none for optional packages of other
 * platforms that it never fetched. Asks the registry for each; run it after a change of versions, and commit the result.
 *
 * Exits with 1 where the registry lacks a package.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const file = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(file, 'utf8'));
const FOLDER = 'node_modules/';
let missing = 0;

for (const [path, entry] of Object.entries(lock.packages)) {
  if (!path.startsWith(FOLDER) || entry.link || entry.inBundle || entry.integrity) continue;
  const name = path.slice(path.lastIndexOf(FOLDER) + FOLDER.length);
  try {
    const command = ['view', `${name}@${entry.version}`, 'dist.integrity'];
    const integrity = execFileSync('npm', command, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    if (!integrity.startsWith('sha512-')) throw new Error('no SHA-512');
    const { version, ...others } = entry;
    lock.packages[path] = { version, integrity, ...others };
    console.log(`${name} ${version} ${integrity}`);
  } catch {
    missing++;
    console.error(`${name} ${entry.version}: the registry has no hash`);
  }
}
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
process.exitCode = missing === 0 ? 0 : 1;
