/** Packages that an installation may leave out, since only some commands need them: `webgpu` and `ccxt`. */

/** Whether an import has failed because `name` is not installed. */
export function isMissingPackage(error: unknown, name: string): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ERR_MODULE_NOT_FOUND' && message.includes(`'${name}'`);
}
