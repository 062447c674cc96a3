/** A text that may be as long as the answer of the largest book, which takes tens of milliseconds to join. */

/** A text, or its pieces in order. */
export type LongText = string | readonly string[];

/** Most characters of a piece. */
const PIECE_CHARACTERS = 64 * 1024;

/** Pieces of a text that do not split surrogate pairs. */
function* piecesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    let to = from + PIECE_CHARACTERS;
    if (isHighSurrogate(text.charCodeAt(to - 1))) to++;
    yield text.slice(from, to);
    from = to;
  }
}

const isHighSurrogate = (code: number) => code >= 0xd800 && code <= 0xdbff;

/** The pieces of a text. */
export const textPieces = (text: LongText): readonly string[] =>
  typeof text === 'string' ? [...piecesOf(text)] : text;

/** Characters of a text. */
export const lengthOf = (text: LongText): number =>
  typeof text === 'string' ? text.length : text.reduce((sum, { length }) => sum + length, 0);

/** The text as one string. */
export const joinedText = (text: LongText): string => (typeof text === 'string' ? text : text.join(''));

/** Collects a text of any length from many short ones. */
export class TextWriter {
  private readonly pieces: string[] = [];
  private last = '';

  write(text: string): void {
    if (text.length > PIECE_CHARACTERS) {
      for (const piece of piecesOf(text)) this.write(piece);
      return;
    }
    this.last += text;
    if (this.last.length < PIECE_CHARACTERS) return;
    this.pieces.push(this.last);
    this.last = '';
  }

  /** The text so far; a string where it has one piece. */
  get text(): LongText {
    return this.pieces.length === 0 ? this.last : [...this.pieces, this.last];
  }
}
