/** The environment of the software Vulkan driver, from scripts/software-gpu.mjs. */
import { pathToFileURL } from 'node:url';
import { projectFile } from './project.ts';

/** @throws Error where the driver is not installed or the machine is not Linux x64 */
export async function softwareGpuEnvironment(): Promise<Record<string, string>> {
  const script = pathToFileURL(projectFile('scripts/software-gpu.mjs')).href;
  const { softwareGpuEnvironment: environment } = (await import(script)) as {
    softwareGpuEnvironment(): Promise<Record<string, string>>;
  };
  return environment();
}
