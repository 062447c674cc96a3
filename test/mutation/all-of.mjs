/** Entries of a list of equivalent mutants with one reason. @param place a file, or a folder whose files the changes name */
export const allOf = (reason, place, changes) =>
  Object.fromEntries(
    changes.map(change => [`${place}${place.includes('.ts') ? ' ' : '/'}${change}`, reason]),
  );
