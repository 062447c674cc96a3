/** Images and manifests name existing files, variables of the configuration and metrics. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { driverEnvironment } from '#src/engine/gpu-process/start-gpu-process.js';
import { CONFIG_REFERENCE } from '#src/server/config.js';
import { createMetrics } from '#src/server/metrics/metrics.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const variables = new Set(CONFIG_REFERENCE.map(({ name }) => name));

describe('Dockerfile.gpu', () => {
  const text = read('Dockerfile.gpu');

  it('copies existing files that .dockerignore admits', () => {
    const allowed = read('.dockerignore')
      .split('\n')
      .filter(line => line.startsWith('!'));
    const copied = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources]) =>
      sources.split(' '),
    );
    expect(copied.length).toBeGreaterThan(5);
    for (const source of copied) {
      expect(existsSync(join(root, source)), source).toBe(true);
      const path = source.replace(/^\.\//, '');
      const isLetThrough = allowed.some(
        line => path === line.slice(1) || path.startsWith(`${line.slice(1)}/`),
      );
      expect(isLetThrough, source).toBe(true);
    }
  });

  it('has the libraries that a driver without a display needs, as the bundle has', () => {
    const bundle = read('scripts/make-gpu-bundle.mjs');
    for (const library of ['libvulkan1', 'libxext6', 'libegl1']) {
      expect(text, library).toMatch(new RegExp(`apt-get install .*${library}`));
      expect(bundle, library).toContain(`'${library}'`);
    }
  });

  it('keeps what drivers compile in a folder of its own, by variables that the GPU process is given', () => {
    for (const variable of ['XDG_CACHE_HOME', '__GL_SHADER_DISK_CACHE_PATH']) {
      expect(text).toContain(`${variable}=/cache`);
      expect(driverEnvironment({ [variable]: '/cache' })).toEqual({ [variable]: '/cache' });
    }
  });

  it('runs as a user without rights, from a base with a digest', () => {
    const stages = new Map(
      text
        .split(/^FROM /m)
        .slice(1)
        .map(stage => [/ AS (\S+)/.exec(stage)?.[1], stage]),
    );
    const bases = [...stages.values()].map(stage => stage.split(' ')[0]);
    expect(bases.filter(base => !stages.has(base))).toEqual(Array(3).fill(`\${NODE_IMAGE}`));
    expect(text).toMatch(/^ARG NODE_IMAGE=node:24\.\d+\.\d+-bookworm-slim@sha256:[0-9a-f]{64}$/m);
    const images = [...stages].filter(([, stage]) => stage.startsWith('service '));
    expect(images.map(([name]) => name)).toEqual(['cpu', 'sync', 'gpu']);
    for (const [name, stage] of images)
      expect(stage.trimEnd().endsWith(`COPY --from=files-${name} /app ./\nUSER node`), name).toBe(true);
  });

  it('runs no install script of a package', () => {
    const installs = [...text.matchAll(/npm ci.*/g)].map(([command]) => command);
    expect(installs).toHaveLength(2);
    for (const command of installs) expect(command).toContain(' --ignore-scripts ');
  });
});

it('The options of sync in deploy/compose.yaml and the manifests exist', { tags: ['slow'] }, () => {
  const help = execFileSync(process.execPath, [join(root, 'dist/cli/main.js'), 'market', 'sync', '--help'], {
    encoding: 'utf8',
  });
  for (const file of ['deploy/compose.yaml', 'deploy/kubernetes/risk-engine.yaml']) {
    const command = /- market\n +- sync\n(?: +- --.+\n)+/.exec(read(file))?.[0] ?? '';
    const options = [...command.matchAll(/--([a-z]+)=/g)].map(([, name]) => name);
    expect(options, file).toEqual(['exchange', 'symbols', 'since', 'every']);
    for (const name of options) expect(help, file).toContain(`--${name} `);
  }
});

it('Images in deploy/compose.yaml have a variable, and foreign ones a digest', () => {
  const images = [...read('deploy/compose.yaml').matchAll(/^ +(?:image|NODE_IMAGE): (.+)$/gm)].map(
    ([, image]) => image,
  );
  expect(images).toHaveLength(8);
  const own = images.filter(image =>
    /^\$\{[A-Z]+_IMAGE:-collateral-risk-engine(-sync)?:[\d.]+\}$/.test(image),
  );
  expect(own).toHaveLength(2);
  for (const image of images.filter(each => !own.includes(each)))
    expect(image).toMatch(/^\$\{[A-Z]+_IMAGE:-[^@]+:[^@]*\d\.\d+[^@]*@sha256:[0-9a-f]{64}\}$/);
  const node = /^ARG NODE_IMAGE=(.+)$/m.exec(read('Dockerfile.gpu'))?.[1];
  expect(images.filter(image => image === `\${NODE_IMAGE:-${node}}`)).toHaveLength(2);
});

it('Paths in deploy/compose.yaml exist, and its commands name the file', () => {
  const text = read('deploy/compose.yaml');
  const paths = [...text.matchAll(/(?:context: |"|- )(\.\.?(?:\/[\w./-]+?)?)(?=:|\n)/g)].map(
    ([, path]) => path,
  );
  expect(paths).toEqual(expect.arrayContaining(['..', '../data', './Caddyfile', './prometheus.yaml']));
  for (const path of paths.filter(each => each !== '../data'))
    expect(existsSync(join(root, 'deploy', path)), path).toBe(true);
  const targets = [...text.matchAll(/dockerfile: (\S+)\n +target: (\w+)\n/g)].map(([, ...found]) => found);
  expect(targets).toEqual([
    ['Dockerfile.gpu', 'cpu'],
    ['Dockerfile.gpu', 'sync'],
  ]);
  const commands = [text, ...['README.md', 'docs/operations.md'].map(read)].flatMap(each => [
    ...each.matchAll(/docker compose (?=[-\w])(-f [\w./]+)?/g),
  ]);
  expect(commands.length).toBeGreaterThan(2);
  for (const [command, rest] of commands) expect(rest, command).toBe('-f deploy/compose.yaml');
});

it('The proxy and the metrics of deploy/compose.yaml reach both of its servers', () => {
  const servers = [...read('deploy/compose.yaml').matchAll(/^ {2}([\w-]+): \*engine$/gm)].map(
    ([, name]) => name,
  );
  expect(servers).toHaveLength(2);
  const caddy = read('deploy/Caddyfile');
  expect(/reverse_proxy (.*) \{/.exec(caddy)?.[1].split(' ')).toEqual(servers.map(name => `${name}:8080`));
  expect(caddy).toContain('health_port 8081');
  for (const name of servers) expect(read('deploy/prometheus.yaml')).toContain(`"${name}:8080"`);
});

it('The variables in deploy/compose.yaml and the manifests exist in the configuration', () => {
  const compose = [...read('deploy/compose.yaml').matchAll(/^ {4,6}([A-Z][A-Z_]+):/gm)].map(
    ([, name]) => name,
  );
  const manifest = [...read('deploy/kubernetes/risk-engine.yaml').matchAll(/\{ name: ([A-Z_]+), value/g)];
  const ours = [
    ...compose.filter(name => !/^(GF_|NODE_IMAGE$)/.test(name)),
    ...manifest.map(([, name]) => name),
  ];
  expect(ours.length).toBeGreaterThan(5);
  expect(ours.filter(name => !variables.has(name))).toEqual([]);
});

it('The manifests start servers and workers that share the Redis of jobs and limits', () => {
  const deployments = read('deploy/kubernetes/risk-engine.yaml').split('\n---\n');
  const named = (name: string) =>
    deployments.find(text => text.includes(`kind: Deployment\nmetadata:\n  name: ${name}\n`)) ?? '';
  const secretsOf = (text: string) =>
    [...text.matchAll(/\{ name: (\w+), valueFrom: .* key: ([\w-]+) \}/g)].map(
      ([, name, key]) => `${name} ${key}`,
    );
  for (const name of ['risk-engine', 'risk-worker']) {
    expect(secretsOf(named(name)), name).toEqual(['REDIS_URL url']);
    expect(named(name), name).toContain('{ name: FLEET_NAME, value: risk }');
  }
  const command = /args: \[node, (\S+), (\w+)\]/.exec(named('risk-worker')) ?? [];
  const help = execFileSync(process.execPath, [join(root, command[1]), command[2], '--help'], {
    encoding: 'utf8',
  });
  expect(help).toContain('REDIS_URL');
  expect(help).toContain('FLEET_NAME');
});

it('The manifests let others connect to the port of the service alone', () => {
  const parts = read('deploy/kubernetes/risk-engine.yaml').split('\n---\n');
  const policies = parts.filter(text => text.includes('kind: NetworkPolicy'));
  const pods = parts.flatMap(text => /kind: Deployment\nmetadata:\n {2}name: (\S+)/.exec(text)?.[1] ?? []);
  expect(pods).toHaveLength(3);
  for (const pod of pods) {
    const own = policies.filter(text => new RegExp(`[ []${pod}[\\], ]`).test(text.split('spec:')[1]));
    expect(own, pod).toHaveLength(1);
    expect(own[0], pod).toContain('policyTypes: [Ingress]');
    const ports = [...own[0].matchAll(/port: (\d+)/g)].map(([, port]) => port);
    expect(ports, pod).toEqual(pod === 'risk-engine' ? ['8080'] : []);
  }
});

it('The metrics of alerts and the dashboard exist in the service', async () => {
  const known = await createMetrics('0.0.0').text();
  const sources = [read('deploy/alerts.yaml'), read('deploy/grafana/dashboard.json')].join('\n');
  const names = new Set(
    [...sources.matchAll(/\b(?:risk|nodejs|process)_[a-z0-9_]+\b/g)].map(([name]) => name),
  );
  expect(names.size).toBeGreaterThan(12);
  for (const name of names)
    expect(known, name).toContain(`# TYPE ${name.replace(/_(?:bucket|count|sum)$/, '')} `);
  const { panels } = JSON.parse(read('deploy/grafana/dashboard.json')) as { panels: { id: number }[] };
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
});

it('Alerts and the dashboard have every figure of the list in operations.md', () => {
  const metrics = (text: string) =>
    [...text.matchAll(/\b(?:up\b(?=[`{])|(?:risk|nodejs|process)_[a-z0-9_]+)/g)].map(([name]) => name);
  const alerts = read('deploy/alerts.yaml')
    .split('- alert: ')
    .slice(1)
    .map(text => ({ name: /^\w+/.exec(text)?.[0], expr: /expr: .*/.exec(text)?.[0] ?? '' }));
  const section = /## What to watch\n(.*?)\n## /s.exec(read('docs/operations.md'))?.[1] ?? '';
  const rows = section
    .split('\n')
    .filter(line => /^\|(?! Figure|-)/.test(line))
    .map(line => line.split('|').map(cell => cell.trim()))
    .map(([, figure, alert]) => ({ figure, alert: alert.replaceAll('`', '') }));
  expect(rows.map(({ alert }) => alert)).toEqual(alerts.map(({ name }) => name));
  const dashboard = read('deploy/grafana/dashboard.json');
  rows.forEach(({ figure }, i) => {
    expect(metrics(figure), figure).not.toEqual([]);
    for (const metric of metrics(figure)) {
      expect(alerts[i].expr, `${alerts[i].name}: ${metric}`).toContain(metric);
      expect(dashboard, metric).toMatch(new RegExp(`\\b${metric}(?:_bucket)?\\b`));
    }
  });
  const job = /job_name: (\S+)/.exec(read('deploy/prometheus.yaml'))?.[1];
  for (const query of [alerts[0].expr, dashboard.replaceAll('\\', '')])
    expect(query).toContain(`up{job="${job}"}`);
});

describe('The chart', () => {
  const chart = read('deploy/helm/templates/risk-engine.yaml');
  const values = Object.fromEntries(
    [...read('deploy/helm/values.yaml').matchAll(/^(\w+): (.+)$/gm)].map(([, name, value]) => [name, value]),
  );

  /** The two forms of a template that the chart has: a value, and a choice by one. */
  function rendered(own: Readonly<Record<string, string>> = {}): string {
    const value = (name: string) => {
      const found = { ...values, ...own }[name];
      if (found === undefined) throw new Error(`values.yaml has no ${name}`);
      return found;
    };
    const choice =
      /\n *\{\{- if \.Values\.(\w+) \}\}([\s\S]*?)\n *\{\{- else \}\}([\s\S]*?)\n *\{\{- end \}\}/g;
    return chart
      .replace(choice, (_, name, yes, no) => (value(name) === 'true' ? yes : no))
      .replace(/\{\{ \.Values\.(\w+) \}\}/g, (_, name) => value(name));
  }

  it('is the manifests with its own values, and uses each of them', () => {
    const manifests = read('deploy/kubernetes/risk-engine.yaml');
    expect(rendered()).toBe(manifests.slice(manifests.indexOf('apiVersion:')));
    expect(rendered()).not.toContain('{{');
    for (const name of Object.keys(values)) expect(rendered({ [name]: 'true' }), name).not.toBe(rendered());
    expect(rendered({ gpu: 'true' })).toContain('nvidia.com/gpu: 1 }');
  });

  it('has the version of the package', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    const own = [...read('deploy/helm/Chart.yaml').matchAll(/^(?:version|appVersion): (.+)$/gm)];
    expect([...own.map(([, each]) => each), values.image.split(':')[1]]).toEqual(Array(3).fill(version));
  });
});

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

it.skipIf(!hasPromtool)('Prometheus reads the alerts, and burn rates of budgets raise theirs', () => {
  for (const words of [
    ['check', 'rules', 'deploy/alerts.yaml'],
    ['test', 'rules', 'test/fixtures/alerts/burn-rates.yaml'],
  ]) {
    const { status, stdout, stderr } = spawnSync('promtool', words, { cwd: root, encoding: 'utf8' });
    expect(status, stdout + stderr).toBe(0);
  }
});

it('Burn rates use the shares of a month and the windows that operations.md states', () => {
  const alerts = read('deploy/alerts.yaml').split('name: risk-engine-objectives')[1];
  const hours: Readonly<Record<string, number>> = { m: 1 / 60, h: 1, d: 24 };
  const pairs = [
    ...alerts.matchAll(/\[(\d+)([hd])\]\)\) > ([\d.]+) \* [\d.]+ and .*?\[(\d+)([mhd])\]\)\) > \3 /g),
  ];
  expect(pairs).toHaveLength(8);
  const shares = pairs.map(([, long, unit, factor, short, shortUnit]) => {
    expect(Number(long) * hours[unit]).toBeCloseTo(12 * Number(short) * hours[shortUnit]);
    return (Number(factor) * Number(long) * hours[unit]) / (30 * 24);
  });
  expect(shares.map(share => Number(share.toFixed(3)))).toEqual([0.02, 0.05, 0.1, 0.1, 0.02, 0.05, 0.1, 0.1]);
});
