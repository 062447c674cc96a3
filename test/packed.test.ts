/**
 * The package as `npm pack` makes it, in an empty folder: it serves, answers, and is imported by a program.
 *
 * @module-tag slow
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const NAME = 'collateral-risk-engine';
const KEY = 'a-key-of-the-packed-tests';

interface Locked {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly link?: boolean }>>;
}

let folder: string;
let files: readonly string[];
const packageFolder = () => path.join(folder, 'node_modules', NAME);

/** Unpacks the package where npm would, with links to the packages that it depends on, and no others. */
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'packed-'));
  const words = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const [packed] = JSON.parse(execFileSync('npm', words, { cwd: root, encoding: 'utf8' })) as {
    readonly filename: string;
    readonly files: readonly { readonly path: string }[];
  }[];
  files = packed.files.map(file => file.path);
  mkdirSync(packageFolder(), { recursive: true });
  const archive = path.join(folder, packed.filename);
  execFileSync('tar', ['xzf', archive, '-C', packageFolder(), '--strip-components=1']);
  rmSync(archive);
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as Locked;
  for (const [place, { dev, link }] of Object.entries(packages)) {
    if (
      !/^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(place) ||
      dev ||
      link ||
      !existsSync(path.join(root, place))
    )
      continue;
    mkdirSync(path.dirname(path.join(folder, place)), { recursive: true });
    symlinkSync(path.join(root, place), path.join(folder, place));
  }
  mkdirSync(path.join(folder, 'node_modules/.bin'));
  symlinkSync(`../${NAME}/dist/cli/main.js`, path.join(folder, 'node_modules/.bin', NAME));
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
});
afterAll(() => rmSync(folder, { recursive: true }));

const REQUEST = {
  type: 'GBM',
  params: {
    ...{ collateral_weights: { BTC: 1 }, loan_weights: { USD: 1 }, analysis_date: '06-30-2024' },
    ...{ model_lookback: 60, loan_duration: 7, mc_top_up: 24, loan_value: 1000 },
    ...{ N: 1.5, M: 1.3, L: 1.1, R: 1.4, mc_iter: 500 },
  },
};

const environment = { PATH: process.env.PATH, HOME: process.env.HOME, COMPUTE: 'cpu', CPU_THREADS: '1' };

describe('The packed program', () => {
  it('has its kernels, its page, its types, and the licences of what it runs', () => {
    for (const file of [
      ...['LICENSE', 'README.md', 'CHANGELOG.md', 'client/library.d.ts', 'shaders/README.md'],
      ...['dist/engine/wasm/kernel.wasm', 'dist/console/index.html', 'dist/console/licences.md'],
      ...['dist/THIRD-PARTY-NOTICES.txt', 'dist/sbom.cdx.json', 'docs/library.md'],
      ...(process.platform === 'linux' ? [`dist/engine/native/linux-${process.arch}.node`] : []),
    ])
      expect(files, file).toContain(file);
    expect(files.filter(file => /\.map$|^(?:src|test|bench|\.ci)\//.test(file))).toEqual([]);
    const own = JSON.parse(readFileSync(path.join(packageFolder(), 'package.json'), 'utf8'));
    expect(own).not.toHaveProperty('private');
    expect(Object.keys(own.scripts)).not.toContain('install');
    const { components, metadata } = JSON.parse(
      readFileSync(path.join(packageFolder(), 'dist/sbom.cdx.json'), 'utf8'),
    ) as { components: { name: string; version: string }[]; metadata: { component: { name: string } } };
    expect(metadata.component.name).toBe(NAME);
    const listed = components.map(({ name, version }) => `${name} ${version}`);
    const notices = readFileSync(path.join(packageFolder(), 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8');
    for (const [name, version] of Object.entries(own.dependencies)) {
      expect(listed, name).toContain(`${name} ${version}`);
      expect(notices, name).toContain(`\n${name} ${version}: `);
    }
  });

  it('serves from an empty folder, and answers', async () => {
    const child = spawn('npx', ['--no-install', NAME, 'serve', '--port', '0', '--market', 'sample'], {
      cwd: folder,
      env: { ...environment, API_KEYS: KEY },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    try {
      let url: string | undefined;
      for await (const line of createInterface({ input: child.stdout })) {
        url = /http:\/\/[\d.]+:\d+/.exec(line)?.[0];
        if (url !== undefined) break;
      }
      const response = await fetch(`${url}/loan_risk`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': KEY },
        body: JSON.stringify(REQUEST),
      });
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ Output: { PrMarginCall: expect.any(Number) } });
      expect((await fetch(`${url}/`)).headers.get('content-type')).toContain('text/html');
    } finally {
      process.kill(-(child.pid as number));
    }
    await once(child, 'close');
  });

  it('is imported by a program of ten lines', () => {
    const program = [
      `import { openRisk } from '${NAME}';`,
      `const risk = await openRisk({ market: 'sample', compute: 'cpu', cpuThreads: 1 });`,
      `const request = ${JSON.stringify(REQUEST)};`,
      `const { Output } = await risk.ask('/loan_risk', request, { seed: 7 });`,
      `console.log(JSON.stringify(Output));`,
      `await risk.close();`,
    ];
    expect(program.length).toBeLessThanOrEqual(10);
    writeFileSync(path.join(folder, 'ten.js'), program.join('\n'));
    const text = execFileSync(process.execPath, ['ten.js'], {
      cwd: folder,
      env: environment,
      encoding: 'utf8',
    });
    expect(JSON.parse(text)).toMatchObject({ PrMarginCall: expect.any(Number) });
  });
});
