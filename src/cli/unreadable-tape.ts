/** A file that cannot be read as a table at all. */
export class UnreadableTape extends Error {
  override readonly name = 'UnreadableTape';
}
