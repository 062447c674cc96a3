/** The variables with which a process finds the software driver. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { softwareGpuEnvironment } from '#src/engine/gpu-process/software-gpu.js';

it.runIf(process.platform === 'linux' && process.arch === 'x64')(
  'The driver of the dev dependency is unpacked, and its folder is where libraries are searched first',
  async () => {
    const { VK_DRIVER_FILES, LD_LIBRARY_PATH } = await softwareGpuEnvironment('');
    expect(existsSync(VK_DRIVER_FILES), VK_DRIVER_FILES).toBe(true);
    expect(`${LD_LIBRARY_PATH.split(':')[0]}/vk_swiftshader_icd.json`).toBe(VK_DRIVER_FILES);
  },
);

it('Another driver is found by its manifest alone', async () => {
  const manifest = fileURLToPath(new URL('../../../package.json', import.meta.url));
  expect(await softwareGpuEnvironment(manifest)).toEqual({ VK_DRIVER_FILES: manifest });
});

it('A manifest that is no file is a fault that names the variable', async () => {
  await expect(softwareGpuEnvironment('/no/such/driver.json')).rejects.toThrow(
    'SOFTWARE_GPU_DRIVER: there is no file /no/such/driver.json.',
  );
});
