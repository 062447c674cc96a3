/** What the environment may say, and that every fault of it is told at once. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { descriptorLimit, mostConnections } from '#src/host/usable-descriptors.js';
import { DEFAULT_RULES } from '#src/market/rules.js';
import { CONFIG_REFERENCE, ConfigError, loadConfig } from '#src/server/config.js';
import { maintenanceMarginRates } from '#src/server/config-fields.js';
import { createKeyCheck, generateKey, hashKey } from '#src/server/keys/key-digest.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'config-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function marginFile(content: string): string {
  const path = join(folder, 'margins.json');
  writeFileSync(path, content);
  return path;
}

function faultsOf(env: Record<string, string>): string[] {
  try {
    loadConfig(env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).message.split('\n');
  }
  return [];
}

/** A key that is long enough. */
const LONG = 'a-key-of-the-tests';

describe('The configuration', () => {
  it('has a default for everything, also where a variable is empty', () => {
    const config = loadConfig({});
    expect(config).toMatchObject({
      port: 8080,
      host: '127.0.0.1',
      keyHashes: [],
      marketDb: 'data/market',
      marketDbIsSet: false,
      marketRules: DEFAULT_RULES,
      compute: 'auto',
      softwareGpu: '0',
      logLevel: 'info',
      requestTimeoutSeconds: 60,
      allowPlan: true,
      console: true,
      maintenanceMargins: { default: 0.005, markets: {} },
    });
    expect(config.cpuThreads).toBeGreaterThanOrEqual(1);
    expect(Object.isFrozen(config)).toBe(true);
    const empty = Object.fromEntries(CONFIG_REFERENCE.map(({ name }) => [name, '']));
    expect(loadConfig(empty)).toEqual(config);
  });

  it('documents every variable it reads', () => {
    const defaults = Object.fromEntries(CONFIG_REFERENCE.map(variable => [variable.name, variable.default]));
    const { given, ...config } = loadConfig(defaults);
    expect(config).toEqual({ ...loadConfig({}), given: undefined, marketDbIsSet: true });
    // No secret is in the record of a start.
    expect(given).toMatchObject({ PORT: '8080', MARKET_DB: 'set' });
    for (const { meaning, values } of CONFIG_REFERENCE) expect(meaning && values).not.toBe('');
  });

  it.each([
    ['PORT', ['0', '65535'], ['-1', '65536', '80.5', '0x50', 'http', ' 80', 'NaN', 'Infinity']],
    ['HEALTH_PORT', ['0', '65535'], ['-1', '65536', 'http']],
    ['MAX_CONNECTIONS', ['1', '16'], ['0', '1.5', '1000001', 'all']],
    ['COMPUTE', ['auto', 'gpu', 'cpu'], ['GPU', 'cuda']],
    ['SOFTWARE_GPU', ['0', '1', 'auto'], ['true', 'yes', '2']],
    ['LOG_LEVEL', ['debug', 'silent'], ['verbose', 'INFO']],
    ['REQUEST_TIMEOUT_SECONDS', ['0.1', '3600'], ['0', '0.05', '3601', '-1', '1m']],
    ['MAX_QUEUE', ['0', '10000'], ['10001', '1.5', '-1']],
    ['CPU_THREADS', ['1', '512'], ['0', '513', '1.5']],
    ['MAX_WORK_CPU', ['1', '1e18', '123456'], ['0', '1e19', 'all']],
    ['MAX_WORK_GPU', ['1', '1e18'], ['0', '1e19', '1e']],
    [
      'API_KEYS',
      [LONG, `${LONG},${LONG}b , c${LONG}`, `sha256:${'aF'.repeat(32)}`],
      [`${LONG},`, ',', `${LONG} ${LONG}`, 'sha256:12', `ké${LONG}`, 'abc', 'a'.repeat(40)],
    ],
    ['KEYS_FILE', [], ['/does/not/exist.json', '.']],
    ['MARKET_RULES', [], ['/does/not/exist.json', '.']],
    ['MAINTENANCE_MARGINS', [], ['/does/not/exist.json', '.']],
    ['SCENARIOS_FILE', [], ['/does/not/exist.json', '.']],
  ])('accepts and refuses values of %s', (name, good, bad) => {
    for (const text of good) expect(faultsOf({ [name]: text }), `${name}=${text}`).toEqual([]);
    for (const text of bad) {
      const faults = faultsOf({ [name]: text });
      expect(faults.length, `${name}=${text}`).toBeGreaterThan(0);
      for (const fault of faults) expect(fault).toMatch(new RegExp(`^${name} must be .*; got .`));
    }
  });

  it('limits work on the CPU to what fits the deadline, unless configured otherwise', () => {
    const limit = (env: Record<string, string>) => loadConfig(env).maxWorkCpu;
    expect(limit({ CPU_THREADS: '2' })).toBe(3.6e9);
    expect(limit({ CPU_THREADS: '4', REQUEST_TIMEOUT_SECONDS: '300' })).toBe(3.6e10);
    expect(limit({ CPU_THREADS: '2', MAX_WORK_CPU: '2e10' })).toBe(2e10);
    // 100,000 paths of a year of hours, with patience: a perpetual weighs 2.
    expect(limit({ CPU_THREADS: '1', REQUEST_TIMEOUT_SECONDS: '120' })).toBeGreaterThanOrEqual(
      2 * 1e5 * 8760,
    );
  });

  it('accepts no more connections than the limit of open files allows', () => {
    const limit = descriptorLimit();
    const most = mostConnections(limit, 2);
    const connections = (env: Record<string, string>) =>
      loadConfig({ CPU_THREADS: '2', ...env }).maxConnections;
    expect(connections({})).toBe(Math.min(10_000, most));
    if (most >= 1_000_000) return;
    expect(connections({ MAX_CONNECTIONS: String(most) })).toBe(most);
    expect(faultsOf({ CPU_THREADS: '2', MAX_CONNECTIONS: String(most + 1) })).toEqual([
      `MAX_CONNECTIONS must be at most ${most}, because the process may have ${limit} files open (ulimit -n); got ${most + 1}`,
    ]);
  });

  it('has a separate port for probes, or none', () => {
    expect(loadConfig({}).healthPort).toBeUndefined();
    expect(loadConfig({ PORT: '0', HEALTH_PORT: '0' }).healthPort).toBe(0);
    expect(faultsOf({ HEALTH_PORT: '8080' })).toEqual([
      'HEALTH_PORT must differ from PORT; got 8080 for both',
    ]);
  });

  it('reports every fault at once', () => {
    const faults = faultsOf({ PORT: 'x', COMPUTE: 'y', CPU_THREADS: '0', API_KEYS: `${LONG},bad key` });
    expect(faults.map(fault => fault.split(' ')[0])).toEqual(['PORT', 'API_KEYS', 'COMPUTE', 'CPU_THREADS']);
  });

  it('reports the faults of a file of market rules, and of variables that do not fit each other, beside all others', () => {
    const rules = marginFile('{"exchanges": [], "more": 1}');
    const faults = faultsOf({
      ...{ PORT: '80', HEALTH_PORT: '80', PROCESSES: '2', COMPUTE: 'y' },
      ...{ MARKET_RULES: rules, SCENARIOS_FILE: '/no/such' },
    });
    expect(faults.map(fault => fault.replace(rules, 'RULES'))).toEqual([
      'MARKET_RULES must be a file of market rules; got RULES: more is unknown; known are exchanges, quotes, prices, aliases, renamed',
      'MARKET_RULES must be a file of market rules; got RULES: exchanges must be a list of one or more different exchanges',
      'COMPUTE must be one of auto, gpu, cpu; got "y"',
      expect.stringMatching(/^SCENARIOS_FILE must be a readable JSON file; got /),
      'PROCESSES is not a setting any more: start two servers behind a proxy (docs/operations.md, "A new version without a gap")',
      'HEALTH_PORT must differ from PORT; got 80 for both',
    ]);
    expect(faultsOf({ MARKET_RULES: '/no/such' })).toEqual([
      expect.stringMatching(
        /^MARKET_RULES must be a file of market rules; got \/no\/such, which cannot be read: ENOENT/,
      ),
    ]);
  });

  it('has the market rules of the file as it was at the start', () => {
    const rules = marginFile('{"quotes": ["usd"], "aliases": {"wbtc": "BTC"}}');
    const { marketRules } = loadConfig({ MARKET_RULES: rules });
    expect(marketRules).toEqual({ ...DEFAULT_RULES, quotes: ['USD'], aliases: { WBTC: 'BTC' } });
  });

  it('neither stores nor shows a key', () => {
    const digest = hashKey('other').toString('hex');
    const { keyHashes } = loadConfig({ API_KEYS: `${LONG}, sha256:${digest.toUpperCase()}` });
    expect(keyHashes).toEqual([hashKey(LONG).toString('hex'), digest]);
    expect(faultsOf({ API_KEYS: 'very secret' }).join()).not.toContain('secret');
    expect(faultsOf({ API_KEYS: 'sha256:5ec2e7' }).join()).not.toContain('5ec2e7');
  });
});

describe('The file of maintenance margins', () => {
  it('has a rate for every market', () => {
    const path = marginFile('{"default": 0.01, "markets": {"btc": 0.004, "ETH": 0.5}}');
    const rates = maintenanceMarginRates(loadConfig({ MAINTENANCE_MARGINS: path }).maintenanceMargins);
    expect(['BTC', 'ETH', 'SOL', 'toString'].map(symbol => rates.rateOf(symbol, 1))).toEqual([
      0.004, 0.5, 0.01, 0.01,
    ]);
  });

  it('has the rate of the tier of the notional', () => {
    const tiers = '[{"up_to_usd": 50000, "rate": 0.004}, {"up_to_usd": 1e6, "rate": 0.01}, {"rate": 0.05}]';
    const path = marginFile(`{"markets": {"btc": ${tiers}}}`);
    const rates = maintenanceMarginRates(loadConfig({ MAINTENANCE_MARGINS: path }).maintenanceMargins);
    const notionals = [1, 50_000, 50_000.01, 1e6, 1e12];
    expect(notionals.map(usd => rates.rateOf('BTC', usd))).toEqual([0.004, 0.004, 0.01, 0.01, 0.05]);
    expect(rates.rateOf('ETH', 1e12)).toBe(0.005);
  });

  it('has a notional at the end of a tier in that tier where only rounding exceeds the end', () => {
    const path = marginFile('{"markets": {"BTC": [{"up_to_usd": 1000, "rate": 0.004}, {"rate": 0.01}]}}');
    const rates = maintenanceMarginRates(loadConfig({ MAINTENANCE_MARGINS: path }).maintenanceMargins);
    // 0.2 contracts of 0.1 coins at 50,000 USD are 1,000 USD.
    const notional = 0.2 * 0.1 * 50_000;
    expect(notional).toBeGreaterThan(1000);
    expect([notional, 1000 + 1e-8].map(usd => rates.rateOf('BTC', usd))).toEqual([0.004, 0.01]);
  });

  it.each([
    '[]',
    '[{"up_to_usd": 5, "rate": 0.1}]',
    '[{"rate": 0.1}, {"rate": 0.2}]',
    '[{"up_to_usd": 5, "rate": 0.1}, {"up_to_usd": 5, "rate": 0.2}, {"rate": 0.3}]',
  ])('refuses the tiers %s', tiers => {
    const faults = faultsOf({ MAINTENANCE_MARGINS: marginFile(`{"markets":{"BTC":${tiers}}}`) });
    expect(faults.join()).toContain('markets.BTC must be a rate, or a list of tiers whose up_to_usd rise');
  });

  it('may omit either part', () => {
    for (const content of ['{}', '{"markets":{}}', '{"default":0.005}'])
      expect(loadConfig({ MAINTENANCE_MARGINS: marginFile(content) }).maintenanceMargins).toEqual(
        loadConfig({}).maintenanceMargins,
      );
  });

  it('is refused with all its faults', () => {
    const path = marginFile('{"default":1,"markets":{"BTC":0,"btc":0.1,"no symbol":0.1},"extra":1}');
    const faults = faultsOf({ MAINTENANCE_MARGINS: path });
    const inFile = faults.map(fault => fault.split('in which ')[1]?.split(' must be ')[0]);
    expect(inFile).toEqual([
      'default',
      'markets.BTC',
      'markets.btc',
      'markets.no symbol',
      'extra is an unknown member; known here are default, markets',
    ]);
    expect(faultsOf({ MAINTENANCE_MARGINS: marginFile('{') })).toHaveLength(1);
    expect(faultsOf({ MAINTENANCE_MARGINS: marginFile('[]') })).toHaveLength(1);
  });
});

describe('A key check', () => {
  it('accepts each of its keys by its digest, and no other', () => {
    const keys = ['first', generateKey(), 'third'];
    const digestOfKnown = createKeyCheck(keys.map(key => hashKey(key).toString('hex')));
    for (const key of keys) expect(digestOfKnown(key)).toBe(hashKey(key).toString('hex'));
    for (const key of ['', 'First', 'firs', 'first ', keys.join()])
      expect(digestOfKnown(key), key).toBeUndefined();
    expect(digestOfKnown(undefined)).toBeUndefined();
    expect(createKeyCheck([])('')).toBeUndefined();
    expect(createKeyCheck([hashKey('').toString('hex')])(undefined)).toBeUndefined();
    expect(() => createKeyCheck(['abc'])).toThrow(RangeError);
  });

  it('generates keys of 192 bits that differ', () => {
    const keys = new Set(Array.from({ length: 1000 }, generateKey));
    expect(keys.size).toBe(1000);
    for (const key of keys) expect(key).toMatch(/^[A-Za-z0-9_-]{32}$/);
  });

  it('accepts the address of a Redis and the name of a fleet, and shows no password of a wrong one', () => {
    const url = 'redis://user:secret@db:6379/2';
    const { redisUrl, fleetName } = loadConfig({ REDIS_URL: url, FLEET_NAME: 'desk_1' });
    expect(redisUrl).toEqual({ url, shown: 'redis://db:6379/2' });
    expect(fleetName).toBe('desk_1');
    // Without a name the Redis counts limits alone.
    expect(loadConfig({ REDIS_URL: url }).fleetName).toBeUndefined();
    const faults = faultsOf({ REDIS_URL: 'mysql://user:secret@db/risk', FLEET_NAME: 'Risk-1' });
    expect(faults).toEqual([
      expect.stringMatching(/^REDIS_URL must be an address such as redis:.*; got something else$/),
      expect.stringMatching(/^FLEET_NAME must be 1 to 32 lower-case letters/),
    ]);
  });

  it('refuses a fleet without a Redis', () => {
    expect(faultsOf({ FLEET_NAME: 'desk' })).toEqual([
      'FLEET_NAME requires REDIS_URL: the servers and workers of a fleet share a Redis',
    ]);
  });

  it('refuses the settings of earlier versions with what replaces them, and shows no password of theirs', () => {
    const faults = faultsOf({ PROCESSES: '3', FLEET_URL: 'redis://:secret@db' });
    expect(faults).toEqual([
      expect.stringMatching(/^PROCESSES is not a setting any more: start two servers behind a proxy/),
      expect.stringMatching(
        /^FLEET_URL is not a setting any more: set REDIS_URL to the Redis, and FLEET_NAME/,
      ),
    ]);
  });

  it.each(['/abc', '/1/2', '/-1', '/0x1', '?db=abc', '/ 1'])(
    'refuses an address of Redis that ends in %s, which names no database',
    path => {
      const refused = () => loadConfig({ REDIS_URL: `redis://:secret@db:6379${path}` });
      expect(refused).toThrow(/REDIS_URL must be an address such as/);
      expect(refused).not.toThrow(/:secret/);
    },
  );

  it.each(['', '/', '/0', '/15', '?db=3', '/2?family=6'])(
    'accepts an address of Redis that ends in %j',
    path => {
      const url = `rediss://db:6379${path}`;
      expect(loadConfig({ REDIS_URL: url }).redisUrl?.url).toBe(url);
    },
  );
});
