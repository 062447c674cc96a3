/** Imports point one way: which folder may see which, and which packages stay where. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../src/', import.meta.url));

/** Folder (or file at the top) -> what it may import of ours. Its own folder is always allowed. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'core/errors.ts': [],
  'core/async.ts': [],
  'core/clock.ts': [],
  'core/warnings.ts': [],
  'core/fair-queue.ts': [],
  'core/turns.ts': ['core/async.ts', 'core/fair-queue.ts'],
  'core/random': [],
  'core/stats': ['core/random'],
  'core/distribution': ['core/stats'],
  'core/lending': [],
  'core/account': ['core/plan', 'core/random'],
  'core/rules': ['core/plan', 'core/random', 'core/stats'],
  'core/book': ['core/lending', 'core/plan', 'core/product', 'core/random', 'core/stats'],
  'core/stress': ['core/book', 'core/lending', 'core/plan', 'core/random'],
  'core/plan': ['core/distribution', 'core/errors.ts', 'core/random'],
  'core/engine.ts': ['core/plan', 'core/errors.ts'],
  'core/product': [
    'core/account',
    'core/distribution',
    'core/engine.ts',
    'core/plan',
    'core/random',
    'core/stats',
  ],
  'core/run-paths.ts': ['core/book', 'core/plan', 'core/product'],
  'core/figures': ['core/book', 'core/distribution', 'core/engine.ts', 'core/plan', 'core/stats'],
  'core/reference': [
    'core/account',
    'core/book',
    'core/engine.ts',
    'core/errors.ts',
    'core/plan',
    'core/product',
    'core/random',
    'core/run-paths.ts',
    'core/stats',
  ],
  'core/index.ts': ['core'],
  'core/simd': [
    'core/account',
    'core/book',
    'core/engine.ts',
    'core/errors.ts',
    'core/plan',
    'core/product',
    'core/random',
    'core/reference',
    'core/run-paths.ts',
  ],
  'core/gpu': [
    'core/account',
    'core/book',
    'core/distribution',
    'core/engine.ts',
    'core/plan',
    'core/product',
    'core/random',
    'core/reference',
    'core/stats',
    'core/async.ts',
    'core/errors.ts',
  ],
  host: ['core/clock.ts'],
  text: ['core/errors.ts'],
  market: ['core/errors.ts', 'host', 'text'],
  tape: ['core/errors.ts', 'text'],
  desk: ['core/errors.ts', 'core/figures', 'core/lending', 'core/warnings.ts', 'tape', 'text'],
  engine: ['core', 'host'],
  fleet: ['core', 'engine', 'host'],
  models: ['core', 'engine', 'host', 'market', 'text'],
  question: ['core', 'desk', 'engine', 'host', 'market', 'models', 'tape', 'text'],
  server: ['core', 'desk', 'engine', 'fleet', 'host', 'market', 'models', 'question', 'tape', 'text'],
  'library.ts': ['core', 'engine', 'host', 'market', 'question', 'server'],
  cli: [
    'core',
    'desk',
    'engine',
    'fleet',
    'host',
    'library.ts',
    'main.ts',
    'market',
    'models',
    'question',
    'server',
    'tape',
    'text',
  ],
};

/** Packages that only these folders or files may import. */
const PACKAGE_HOMES: Readonly<Record<string, readonly string[]>> = {
  webgpu: ['engine/gpu-process/open-device.ts'],
  koa: ['server/'],
  '@koa/router': ['server/'],
  '@koa/cors': ['server/transport/cross-origin.ts'],
  commander: ['cli'],
  '@modelcontextprotocol/sdk': ['cli/mcp.ts'],
  'koa-bodyparser': ['server/transport/body.ts'],
  'rate-limiter-flexible': ['server/admission/'],
  ioredis: ['server/admission/redis-counters.ts', 'fleet/redis-store.ts'],
  zod: [
    ...[
      'question/',
      'server/keys/',
      'server/openapi/',
      'server/config.ts',
      'server/settings.ts',
      'server/config-fields.ts',
    ],
    ...['fleet/fleet-messages.ts', 'server/jobs/job-records.ts', 'cli/market-import.ts', 'cli/mcp-tools.ts'],
  ],
  'fs-native-extensions': ['market/store/writer-lock.ts'],
  hyparquet: ['market/store/parquet.ts', 'market/import/parquet-cells.ts'],
  'hyparquet-compressors': ['market/import/parquet-cells.ts'],
  'hyparquet-writer': ['market/store/parquet.ts', 'server/answers/columns.ts'],
  '@uwdata/flechette': ['server/answers/columns.ts'],
  ccxt: ['market/sync/'],
  pino: ['host/log.ts'],
  'prom-client': ['server/metrics/'],
  '@opentelemetry/api': ['server/tracing/open-telemetry.ts'],
  '@opentelemetry/core': ['server/tracing/open-telemetry.ts'],
  '@opentelemetry/exporter-trace-otlp-http': ['server/tracing/open-telemetry.ts'],
  '@opentelemetry/resources': ['server/tracing/open-telemetry.ts'],
  '@opentelemetry/sdk-trace-base': ['server/tracing/open-telemetry.ts'],
  bullmq: ['fleet/queues.ts'],
  msgpackr: ['fleet/fleet-messages.ts', 'server/jobs/job-records.ts'],
  piscina: [
    'question/reading/reader.ts',
    'engine/threads/',
    'engine/wasm/',
    'models/calibration/calibration-pool.ts',
  ],
};

/** What a page may load of src beside `core`: the reader of loan tapes, the pages of a report, and the scan of origination. */
const OF_THE_PAGE = [
  'text/',
  'desk/',
  'tape/',
  'market/symbols.ts',
  'market/import/',
  'question/origination/ratios.ts',
  'question/origination/score.ts',
  'question/request/query.ts',
  'question/request/tape-query.ts',
];

interface Import {
  readonly file: string;
  readonly target: string;
  readonly typeOnly: boolean;
}

const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'));
const page = readdirSync(join(root, '../console/src'), { recursive: true, encoding: 'utf8' })
  .filter(name => /\.tsx?$/.test(name))
  .map(name => join('../console/src', name));
const imports = files.flatMap(importsOf);

/** Imports of a file by its path from src; those that name nothing but types are types. */
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

/** The file that joins everything. */
const JOINERS = ['main.ts'];

/** The folder of a file; within `core` the folder below it, since `core` has layers of its own. */
function area(file: string): string {
  const parts = file.split('/');
  return parts.slice(0, parts[0] === 'core' ? 2 : 1).join('/');
}
const mayImport = (from: string, to: string) =>
  MAY_IMPORT[from]?.some(allowed => to === allowed || to.startsWith(`${allowed}/`)) === true;
/** The path from src of a file of ours, by its relative name or as package.json names it; undefined of a package. */
function place({ file, target }: Import): string | undefined {
  if (target.startsWith('#')) return target.replace(/^#(src\/)?/, '');
  return target.startsWith('.') ? relative(root, join(root, dirname(file), target)) : undefined;
}
const withPlace = (all: readonly Import[]) =>
  all.flatMap(found => {
    const to = place(found);
    return to === undefined ? [] : [{ ...found, to }];
  });
const ours = withPlace(imports);

/** Folders beside src -> folders of the repository whose files they may import. Their own is always allowed. */
const BESIDE_SRC: Readonly<Record<string, readonly string[]>> = {
  // Its version is that of the package.
  src: ['package.json'],
  // The service, built, and the names of the views of the page.
  'test/support': ['src', 'dist', '../dist', 'test/fixtures', 'bench/console', 'console/src/views/names.ts'],
  bench: ['src', 'test/support'],
  kernel: [],
  // Names files of src as `#core/` and `#src/` do.
  console: ['client'],
};

describe('the import table', () => {
  it('lets src, bench and what they share import nothing from tests and scripts', () => {
    const project = join(root, '..');
    const offences = Object.entries(BESIDE_SRC).flatMap(([folder, allowed]) => {
      const names = readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' });
      const sources = names.filter(name => /\.tsx?$/.test(name) && !name.includes('node_modules'));
      expect(sources.length, folder).toBeGreaterThan(3);
      return sources.flatMap(name => {
        const file = join(folder, name);
        const text = readFileSync(join(project, file), 'utf8');
        return [...text.matchAll(/['"](\.{1,2}\/[^'"\n]+\.(?:m?[jt]s|tsx|json))['"]/g)]
          .map(([, target]) => normalize(join(dirname(file), target)))
          .filter(
            target => ![folder, ...allowed].some(each => target === each || target.startsWith(`${each}/`)),
          )
          .map(target => `${file} names ${target}`);
      });
    });
    expect(offences).toEqual([]);
  });

  it('lets bench load no package of the tests through test/support', () => {
    const seen = new Set(
      readdirSync(join(root, '../bench'), { recursive: true, encoding: 'utf8' })
        .filter(name => name.endsWith('.ts'))
        .map(name => join('../bench', name)),
    );
    const packages = new Set<string>();
    for (const file of seen)
      for (const found of importsOf(file)) {
        const to = place(found);
        if (to === undefined) packages.add(found.target);
        else if (to.endsWith('.ts')) seen.add(to);
      }
    expect([...seen].some(file => file.startsWith('../test/support/'))).toBe(true);
    expect([...packages]).not.toContain('vitest');
  });

  it('finds the imports of the source', () => {
    expect(files.length).toBeGreaterThan(40);
    expect(ours.length).toBeGreaterThan(100);
  });

  it('lets every folder see only what lies below it', () => {
    const offences = ours
      .filter(({ file, to }) => area(file) !== area(to) && !JOINERS.includes(file))
      .filter(({ file, to }) => !mayImport(area(file), area(to)))
      .map(({ file, to }) => `${file} imports ${to}`);
    expect(offences).toEqual([]);
  });

  it('lets no program run the rules as plain code: they are read, and tests hold the engines to them', () => {
    const users = [...imports, ...page.flatMap(importsOf)].filter(
      ({ file, target }) => !file.startsWith('core/rules/') && /(^|\/)rules\//.test(target),
    );
    expect(users).toEqual([]);
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

  it.each(['server/tracing/open-telemetry.ts', 'server/admission/redis-counters.ts'])(
    'loads the packages of %s only where configured',
    home => {
      const loaded = ours.filter(({ to }) => to === home);
      expect(loaded.map(({ file }) => file)).toEqual(['server/service.ts']);
      const text = readFileSync(join(root, 'server/service.ts'), 'utf8');
      const name = home.replace('server/', './');
      expect(text).toContain(`await import('${name}')`);
      expect(text).not.toContain(`from '${name}'`);
    },
  );

  it('keeps Node out of what a browser will run', () => {
    const offences = imports
      .filter(({ file, target }) => file.startsWith('core/') && target.startsWith('node:'))
      .map(({ file, target }) => `${file} imports ${target}`);
    expect(offences).toEqual([]);
  });

  it('has no files that import each other in a circle, types included', () => {
    const imported = new Map([...files, ...page].map(file => [file, [] as string[]]));
    for (const { file, to } of [...ours, ...withPlace(page.flatMap(importsOf))]) imported.get(file)?.push(to);
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (file: string, above: readonly string[]): void => {
      if (above.includes(file)) circles.push([...above.slice(above.indexOf(file)), file].join(' -> '));
      if (above.includes(file) || done.has(file)) return;
      for (const to of imported.get(file) ?? []) visit(to, [...above, file]);
      done.add(file);
    };
    for (const file of files) visit(file, []);
    expect(circles).toEqual([]);
  });

  it('lets a page load core and what is named for it, and nothing of Node or of the schemas', () => {
    const seen = new Set(page);
    const packages = new Set<string>();
    for (const file of seen)
      for (const found of importsOf(file)) {
        if (found.typeOnly) continue;
        const to = place(found);
        if (to === undefined) packages.add(found.target);
        else if (/\.tsx?$/.test(to)) seen.add(to);
      }
    const loaded = [...seen].filter(file => !file.startsWith('..'));
    expect(loaded.length).toBeGreaterThan(100);
    const allowed = ['core/', ...OF_THE_PAGE];
    expect(loaded.filter(file => !allowed.some(place => file.startsWith(place)))).toEqual([]);
    expect([...packages].filter(name => name.startsWith('node:') || name === 'zod')).toEqual([]);
  });

  it('has no file of more than 400 lines', () => {
    const lengths = files.map(file => ({
      file,
      lines: readFileSync(join(root, file), 'utf8').split('\n').length - 1,
    }));
    expect(lengths.filter(({ lines }) => lines > 400)).toEqual([]);
  });

  it('reads the environment in one place', () => {
    const readers = files.filter(file => readFileSync(join(root, file), 'utf8').includes('process.env'));
    // The entry points hand it to `loadConfig`; the GPU's process inherits it.
    const allowed = [
      'server/config.ts',
      'main.ts',
      'cli/worker.ts',
      'cli/main.ts',
      'engine/gpu-process/software-gpu.ts',
      'engine/gpu-process/start-gpu-process.ts',
    ];
    expect(readers.filter(file => !allowed.includes(file))).toEqual([]);
  });
});
