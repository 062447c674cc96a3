/** Imports point one way: which folder may see which, and which packages stay where. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../src/', import.meta.url));

/** Folder (or file at the top) -> what it may import of ours. Its own folder is always allowed. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'errors.ts': [],
  'log.ts': [],
  request: ['errors.ts'],
  random: [],
  stats: [],
  plan: ['errors.ts'],
  market: ['request', 'errors.ts', 'log.ts'],
  model: ['plan', 'stats', 'errors.ts', 'log.ts'],
  engine: ['plan', 'random', 'stats', 'errors.ts', 'log.ts'],
  operation: ['request', 'market', 'model', 'plan', 'engine', 'stats', 'errors.ts', 'log.ts'],
  http: ['request', 'operation', 'market', 'engine', 'errors.ts', 'log.ts'],
  'config-fields.ts': ['request', 'http'],
  'usable-processors.ts': [],
  'config.ts': ['config-fields.ts', 'usable-processors.ts', 'request'],
  'service.ts': ['config.ts', 'config-fields.ts', 'engine', 'http', 'market', 'log.ts'],
  'banner.ts': ['service.ts', 'market', 'request'],
  cli: ['market', 'config.ts', 'errors.ts', 'log.ts', 'request'],
};

/** Packages that only these folders or files may import. */
const PACKAGE_HOMES: Readonly<Record<string, readonly string[]>> = {
  webgpu: ['engine/gpu/open-device.ts'],
  koa: ['http/'],
  '@koa/router': ['http/'],
  'koa-bodyparser': ['http/'],
  zod: ['request/', 'config.ts', 'config-fields.ts'],
  '@duckdb/node-api': ['market/'],
  pino: ['log.ts'],
  piscina: ['engine/cpu/', 'engine/wasm/', 'model/garch-pool.ts'],
};

interface Import {
  readonly file: string;
  readonly target: string;
  readonly typeOnly: boolean;
}

const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'));
const imports = files.flatMap(importsOf);

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8');
  const pattern =
    /^(?:import|export)\s(type\s)?[^;]*?\sfrom\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm;
  return [...text.matchAll(pattern)].map(match => ({
    file,
    target: match[2] ?? match[3] ?? match[4],
    typeOnly: match[1] !== undefined,
  }));
}

/** The files that join everything. */
const JOINERS = ['main.ts', 'service.ts', 'banner.ts'];

const area = (file: string) => (file.includes('/') ? file.slice(0, file.indexOf('/')) : file);
const ours = imports
  .filter(({ target }) => target.startsWith('.'))
  .map(found => ({ ...found, to: relative('.', normalize(join(dirname(found.file), found.target))) }));

describe('the import table', () => {
  it('finds the imports of the source', () => {
    expect(files.length).toBeGreaterThan(40);
    expect(ours.length).toBeGreaterThan(100);
  });

  it('lets every folder see only what lies below it', () => {
    const offences = ours
      .filter(({ file, to }) => area(file) !== area(to) && !JOINERS.includes(file))
      .filter(({ file, to }) => !MAY_IMPORT[area(file)]?.includes(area(to)))
      .map(({ file, to }) => `${file} imports ${to}`);
    expect(offences).toEqual([]);
  });

  it('knows every folder', () => {
    const areas = [...new Set(files.map(area))].filter(name => !JOINERS.includes(name));
    expect(areas.filter(name => !(name in MAY_IMPORT))).toEqual([]);
  });

  it('keeps each package in its home', () => {
    const offences = imports.flatMap(({ file, target, typeOnly }) => {
      const homes = PACKAGE_HOMES[target];
      const atHome = homes === undefined || homes.some(home => file.startsWith(home));
      return atHome || typeOnly ? [] : [`${file} imports ${target}`];
    });
    expect(offences).toEqual([]);
  });

  it('keeps Node out of what a browser will run', () => {
    const nodeFree = (file: string) =>
      /^(plan|random|stats)\//.test(file) ||
      (file.startsWith('engine/gpu/') && !file.startsWith('engine/gpu/host/'));
    const allowed = ['engine/gpu/open-device.ts', 'engine/gpu/read-shader.ts'];
    const offences = imports
      .filter(({ file, target }) => nodeFree(file) && !allowed.includes(file) && target.startsWith('node:'))
      .map(({ file, target }) => `${file} imports ${target}`);
    expect(offences).toEqual([]);
  });

  it('reads the environment in one place', () => {
    const readers = files.filter(file => readFileSync(join(root, file), 'utf8').includes('process.env'));
    // The entry points hand it to `loadConfig`; the GPU's process inherits it.
    const allowed = ['config.ts', 'main.ts', 'cli/market.ts', 'engine/gpu/host/start-gpu-process.ts'];
    expect(readers.filter(file => !allowed.includes(file))).toEqual([]);
  });
});
