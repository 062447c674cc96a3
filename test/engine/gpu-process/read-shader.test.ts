/** When the GPU process reads its shaders: a copy of the module beside a folder of its own, which is removed while it runs. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { readShader } from '#src/engine/gpu-process/read-shader.js';

it('Shaders are read at the start: one that is replaced or removed later is as it was', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'shaders-'));
  const copy = join(folder, 'dist/engine/gpu-process/read-shader.js');
  mkdirSync(join(copy, '..'), { recursive: true });
  mkdirSync(join(folder, 'shaders/lib'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  writeFileSync(join(folder, 'shaders/lib/draw.wgsl'), 'fn first() {}');
  writeFileSync(join(folder, 'shaders/README.md'), 'no shader');
  const built = new URL('../../../dist/engine/gpu-process/read-shader.js', import.meta.url);
  writeFileSync(copy, readFileSync(built, 'utf8').replace(/^\/\/# sourceMappingURL.*$/m, ''));
  const { readShader: read } = (await import(pathToFileURL(copy).href)) as {
    readShader: typeof readShader;
  };
  rmSync(folder, { recursive: true });
  expect(await read('lib/draw.wgsl')).toBe('fn first() {}');
  await expect(read('README.md')).rejects.toThrow('There is no shader README.md.');
});

it('A shader that does not exist is named', async () => {
  await expect(readShader('lib/none.wgsl')).rejects.toThrow('There is no shader lib/none.wgsl.');
});
