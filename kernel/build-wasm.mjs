/**
 * Compiles kernel/ to dist/engine/wasm/kernel.wasm by AssemblyScript; does nothing where that is up to date.
 * Options: kernel/asconfig.json. Warning 112 is off: it reports vectors between the files of the kernel, none of which is exported to the host.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { main } from 'assemblyscript/asc';

const source = fileURLToPath(new URL('./', import.meta.url));
const output = fileURLToPath(new URL('../dist/engine/wasm/kernel.wasm', import.meta.url));

const changed = Math.max(...readdirSync(source).map(file => statSync(source + file).mtimeMs));
if (!existsSync(output) || statSync(output).mtimeMs < changed) {
  const { error } = await main(['--config', `${source}asconfig.json`, '--target', 'release'], {
    stdout: process.stdout,
    stderr: process.stderr,
  });
  if (error) process.exit(1);
}
