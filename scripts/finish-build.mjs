/**
 * What the build does after the compilers: puts the files of the viewer of /docs, and its licence, beside the compiled program
 * (dist/http/docs-viewer), compresses the console, and makes the command line executable.
 */
import { chmodSync, copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { compressSite } from '../dist/http/site-encodings.js';

const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'LICENSE', 'NOTICE'];

const source = path.dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));
const target = fileURLToPath(new URL('../dist/http/docs-viewer/', import.meta.url));
mkdirSync(target, { recursive: true });
for (const file of FILES) copyFileSync(path.join(source, file), path.join(target, file));

await compressSite(new URL('../dist/console/', import.meta.url));

chmodSync(fileURLToPath(new URL('../dist/cli/main.js', import.meta.url)), 0o755);
