/** Python, where it is installed: tests of the Python client and of its pages. */
import { spawnSync } from 'node:child_process';

/** The first Python that has the modules; the system's own where another comes first in the path. */
export const pythonWith = (modules: string): string | undefined =>
  ['python3', '/usr/bin/python3'].find(python => spawnSync(python, ['-c', `import ${modules}`]).status === 0);
