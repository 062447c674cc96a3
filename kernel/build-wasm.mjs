/**
 * Compiles kernel/ to dist/engine/wasm/kernel.wasm by AssemblyScript, with the options of kernel/asconfig.json. Warning 112 is off: it
 * reports vectors between the files of the kernel, none of which is exported to the host.
 */
import { fileURLToPath } from 'node:url';
import { main } from 'assemblyscript/asc';

const config = fileURLToPath(new URL('asconfig.json', import.meta.url));
const { error } = await main(['--config', config, '--target', 'release'], {
  stdout: process.stdout,
  stderr: process.stderr,
});
if (error) process.exit(1);
