/** `eval "$(node scripts/software-gpu.mjs)"` sets the variables of the software Vulkan driver in a shell. Needs dist. */
import { softwareGpuEnvironment } from '../dist/engine/gpu-process/software-gpu.js';

for (const [name, value] of Object.entries(await softwareGpuEnvironment())) {
  console.log(`export ${name}='${value}'`);
}
