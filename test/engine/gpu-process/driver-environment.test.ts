/** What the GPU process may know of the environment of its server. */
import { expect, it } from 'vitest';
import { driverEnvironment } from '#src/engine/gpu-process/start-gpu-process.js';

it('The environment of the GPU process has the variables of loaders and drivers, and no secret', () => {
  const forDrivers = {
    PATH: '/usr/bin',
    HOME: '/home/risk',
    LD_LIBRARY_PATH: '/usr/local/nvidia/lib64',
    VK_DRIVER_FILES: '/etc/vulkan/icd.d/nvidia_icd.json',
    NVIDIA_VISIBLE_DEVICES: 'all',
    CUDA_VISIBLE_DEVICES: '0',
    __GL_THREADED_OPTIMIZATIONS: '1',
    XDG_RUNTIME_DIR: '/run/user/1000',
  };
  const secret = {
    API_KEYS: 'a-key',
    KEYS_FILE: '/etc/keys.json',
    REDIS_URL: 'redis://:password@redis',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=secret',
    AWS_SECRET_ACCESS_KEY: 'secret',
    NODE_OPTIONS: '--inspect',
  };
  expect(driverEnvironment({ ...forDrivers, ...secret })).toEqual(forDrivers);
});
