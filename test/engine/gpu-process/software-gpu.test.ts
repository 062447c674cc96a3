/** The variables with which a process finds the software driver. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { makeFolderOnce, softwareGpuEnvironment } from '#src/engine/gpu-process/software-gpu.js';

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

describe('A folder that is made once', () => {
  const folder = mkdtempSync(join(tmpdir(), 'made-once-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is whole where it is, and the same for all who make it at once', async () => {
    const place = join(folder, 'at-once');
    const seen: boolean[] = [];
    const fill = (content: string) => async (into: string) => {
      writeFileSync(join(into, 'first'), content);
      await new Promise(setImmediate);
      seen.push(existsSync(place));
      writeFileSync(join(into, 'second'), content);
    };
    await Promise.all([makeFolderOnce(place, fill('a')), makeFolderOnce(place, fill('b'))]);
    expect(seen[0]).toBe(false);
    const [first, second] = ['first', 'second'].map(name => readFileSync(join(place, name), 'utf8'));
    expect(first).toBe(second);
    await makeFolderOnce(place, fill('c'));
    expect(readFileSync(join(place, 'first'), 'utf8')).toBe(first);
    expect(readdirSync(folder)).toEqual(['at-once']);
  });

  it('leaves nothing behind where it cannot be filled, and passes the reason on', async () => {
    const failing = makeFolderOnce(join(folder, 'failing'), async into => {
      writeFileSync(join(into, 'first'), '');
      throw new Error('The archive is damaged.');
    });
    await expect(failing).rejects.toThrow('The archive is damaged.');
    expect(readdirSync(folder)).toEqual(['at-once']);
  });
});
