/** The text of a PDF with its places, as far as the printing of Chromium and Firefox needs: one text of each run of glyphs. */
import { inflateSync } from 'node:zlib';

/** A text and where it begins, in points from the lower left corner of its page. */
export interface PlacedText {
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

type Matrix = readonly [number, number, number, number, number, number];

/** One after the other: first a, then b. */
const times = ([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix => [
  a * g + b * i,
  a * h + b * j,
  c * g + d * i,
  c * h + d * j,
  e * g + f * i + k,
  e * h + f * j + l,
];

/** Objects by number: their dictionaries as text, and their streams inflated. */
function objectsOf(pdf: Buffer): Map<number, { readonly text: string; readonly stream: string }> {
  const objects = new Map<number, { text: string; stream: string }>();
  const file = pdf.toString('latin1');
  for (const { 1: number, 2: body } of file.matchAll(/(?:^|\s)(\d+) 0 obj\b([\s\S]*?)\bendobj/g)) {
    const [text, data] = body.split(/stream\r?\n/, 2);
    const isPacked = /\/FlateDecode/.test(text);
    const stream =
      data === undefined ? '' : isPacked ? inflateSync(Buffer.from(data, 'latin1')).toString('latin1') : data;
    objects.set(Number(number), { text, stream });
    if (!/\/Type\s*\/ObjStm/.test(text)) continue;
    const first = Number(/\/First\s+(\d+)/.exec(text)?.[1]);
    const places = stream.slice(0, first).trim().split(/\s+/).map(Number);
    for (let i = 0; i < places.length; i += 2) {
      const packed = stream.slice(
        first + places[i + 1],
        places[i + 3] === undefined ? undefined : first + places[i + 3],
      );
      objects.set(places[i], { text: packed, stream: '' });
    }
  }
  return objects;
}

const hexText = (hex: string): string =>
  (hex.match(/.{4}/g) ?? []).map(each => String.fromCharCode(Number.parseInt(each, 16))).join('');

/** Characters by glyph, of a map to Unicode. */
function charactersOf(map: string): Map<number, string> {
  const found = new Map<number, string>();
  for (const { 0: part } of map.matchAll(/beginbfchar[\s\S]*?endbfchar/g))
    for (const { 1: glyph, 2: to } of part.matchAll(/<(\w+)>\s*<(\w+)>/g))
      found.set(Number.parseInt(glyph, 16), hexText(to));
  for (const { 0: part } of map.matchAll(/beginbfrange[\s\S]*?endbfrange/g))
    for (const { 1: low, 2: high, 3: to } of part.matchAll(/<(\w+)>\s*<(\w+)>\s*<(\w+)>/g))
      for (let glyph = Number.parseInt(low, 16); glyph <= Number.parseInt(high, 16); glyph++)
        found.set(glyph, String.fromCharCode(Number.parseInt(to, 16) + glyph - Number.parseInt(low, 16)));
  return found;
}

/** Texts of each page, in the order in which they are drawn. */
export function pdfPages(pdf: Buffer): readonly (readonly PlacedText[])[] {
  const objects = objectsOf(pdf);
  const at = (reference: string | undefined) => objects.get(Number(reference));
  return [...objects.values()]
    .filter(({ text }) => /\/Type\s*\/Page\b(?!s)/.test(text))
    .map(({ text }) => {
      const resources = at(/\/Resources\s+(\d+) 0 R/.exec(text)?.[1])?.text ?? text;
      const listed =
        at(/\/Font\s+(\d+) 0 R/.exec(resources)?.[1])?.text ??
        /\/Font\s*<<([\s\S]*?)>>/.exec(resources)?.[1] ??
        '';
      const fonts = new Map(
        [...listed.matchAll(/\/([\w-]+)\s+(\d+) 0 R/g)].map(({ 1: name, 2: number }) => {
          const map = at(/\/ToUnicode\s+(\d+) 0 R/.exec(at(number)?.text ?? '')?.[1]);
          return [name, charactersOf(map?.stream ?? '')] as const;
        }),
      );
      return textsOf(at(/\/Contents\s*\[?\s*(\d+) 0 R/.exec(text)?.[1])?.stream ?? '', fonts);
    });
}

/** Strings, lists of them, names, numbers and operators. */
const TOKENS =
  /<[\da-fA-F\s]*>|\[(?:\((?:\\.|[^\\)])*\)|[^\]])*\]|\((?:\\.|[^\\)])*\)|\/[\w-]+|[-+.\d]+|[A-Za-z*'"]+/g;

function textsOf(content: string, fonts: ReadonlyMap<string, Map<number, string>>): readonly PlacedText[] {
  const texts: PlacedText[] = [];
  const kept: Matrix[] = [];
  let outer: Matrix = [1, 0, 0, 1, 0, 0];
  let inner = outer;
  let font = new Map<number, string>();
  let operands: string[] = [];
  const matrix = () => operands.slice(-6).map(Number) as unknown as Matrix;
  for (const [token] of content.matchAll(TOKENS)) {
    if (/^[<[(/\d.+-]/.test(token)) {
      operands.push(token);
      continue;
    }
    if (token === 'q') kept.push(outer);
    if (token === 'Q') outer = kept.pop() ?? outer;
    if (token === 'cm') outer = times(matrix(), outer);
    if (token === 'Tm') inner = matrix();
    if (token === 'BT') inner = [1, 0, 0, 1, 0, 0];
    if (token === 'Td') inner = times([1, 0, 0, 1, Number(operands[0]), Number(operands[1])], inner);
    if (token === 'Tf') font = fonts.get(operands[0].slice(1)) ?? new Map();
    if (token === 'Tj' || token === 'TJ') {
      // Firefox writes letters of Latin-1 as they are.
      const text = [...operands[0].matchAll(/<([^>]*)>|\(((?:\\.|[^\\)])*)\)/g)]
        .map(({ 1: hex, 2: letters }) =>
          hex === undefined
            ? letters.replace(/\\(.)/g, '$1')
            : (hex.match(/.{4}/g) ?? []).map(glyph => font.get(Number.parseInt(glyph, 16)) ?? '').join(''),
        )
        .join('');
      const [, , , , x, y] = times(inner, outer);
      if (text.trim() !== '') texts.push({ text, x, y });
    }
    operands = [];
  }
  return texts;
}

/** Texts of a page as lines from its foot upwards, each with the height of its base. */
export function linesOf(
  page: readonly PlacedText[],
): readonly { readonly y: number; readonly text: string }[] {
  const lines: { y: number; parts: PlacedText[] }[] = [];
  for (const each of [...page].sort((a, b) => a.y - b.y)) {
    const last = lines.at(-1);
    if (last !== undefined && each.y - last.y < 2) last.parts.push(each);
    else lines.push({ y: each.y, parts: [each] });
  }
  return lines.map(({ y, parts }) => ({
    y,
    text: parts
      .sort((a, b) => a.x - b.x)
      .map(({ text }) => text)
      .join(''),
  }));
}
