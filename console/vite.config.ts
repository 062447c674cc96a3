import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Builds the console into dist/console, from where the server hands it out (src/server/transport/console.ts). */
export default defineConfig({
  root: here('.'),
  base: '/',
  // The reader of tapes is that of the command line; this build of its library needs no Buffer of Node.
  resolve: { alias: { 'csv-parse/sync': 'csv-parse/browser/esm/sync' } },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: here('../dist/console'),
    emptyOutDir: true,
    target: 'es2022',
    // A data URL would need an exception in the content security policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 400,
    license: { fileName: 'licences.md' },
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  worker: { format: 'es' },
});
