/** What a report says of the machine and of the software; no host names, no paths. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, loadavg, platform, totalmem } from 'node:os';
import { projectFile } from './project.ts';

const BYTES_PER_GIBIBYTE = 2 ** 30;
/** Read before the program works, which raises the load. */
const LOAD_BEFORE = Number(loadavg()[0].toFixed(2));

/** Hardware and software of one run. */
export interface Machine {
  readonly processor: string;
  /** What distinguishes processors of one name, such as `AMD family 26 model 2`; absent where the system does not say. */
  readonly processorClass?: string;
  readonly cores: number;
  readonly memoryGibibytes: number;
  readonly system: string;
  readonly node: string;
  readonly webgpu: string;
  readonly version: string;
  /** Short hash, with `+` where files differ from it; 'unknown' outside a repository. */
  readonly commit: string;
  /** Runnable processes of others, averaged over a minute, before the first measurement. */
  readonly loadBefore: number;
}

/** Looks at this machine. */
export function describeMachine(): Machine {
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    ...processorClass(),
    cores: availableParallelism(),
    memoryGibibytes: Math.round(totalmem() / BYTES_PER_GIBIBYTE),
    system: `${platform()} ${arch()}`,
    node: process.version,
    webgpu: versionOf('node_modules/webgpu/package.json'),
    version: versionOf('package.json'),
    commit: commit(),
    loadBefore: LOAD_BEFORE,
  };
}

/** A machine class for file names: the GPU where there is one, else the processor with its class, in lower case with dashes. */
export function hostClass({ processor, processorClass, cores }: Machine, gpu: string | undefined): string {
  return (gpu ?? [processor, processorClass, cores, 'cores'].join(' '))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

const VENDORS: Readonly<Record<string, string>> = { AuthenticAMD: 'AMD', GenuineIntel: 'Intel' };

/** Virtual machines often hide the model's name, yet rates differ by generation: family and model number distinguish them. */
function processorClass(): Pick<Machine, 'processorClass'> {
  if (!existsSync('/proc/cpuinfo')) return {};
  const text = readFileSync('/proc/cpuinfo', 'utf8');
  const line = (name: string) => new RegExp(`^${name}\\s*: (.+)$`, 'm').exec(text)?.[1].trim();
  const [vendor, family, model] = ['vendor_id', 'cpu family', 'model'].map(line);
  if (vendor === undefined || family === undefined || model === undefined) return {};
  return { processorClass: `${VENDORS[vendor] ?? vendor} family ${family} model ${model}` };
}

function versionOf(packageFile: string): string {
  return (JSON.parse(readFileSync(projectFile(packageFile), 'utf8')) as { version: string }).version;
}

/** A bundle has no repository: the script that makes it writes the commit down. */
function commit(): string {
  const noted = projectFile('COMMIT');
  if (existsSync(noted)) return readFileSync(noted, 'utf8').trim();
  const git = (...sent: string[]) =>
    execFileSync('git', sent, {
      cwd: projectFile('.'),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  try {
    const changed = git('status', '--porcelain', '--untracked-files=no') !== '';
    return `${git('rev-parse', '--short', 'HEAD')}${changed ? '+' : ''}`;
  } catch {
    return 'unknown';
  }
}
