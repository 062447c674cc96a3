/** A word of a command line as a POSIX shell reads it: in quotes where it has other characters than those of names, numbers and paths. */
export const shellWord = (word: string): string =>
  /^[\w./:=@%,+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
