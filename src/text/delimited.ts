/**
 * Text with delimiters to records: comma, semicolon or tab, quotes, lines.
 *
 * Must not know: files, what the columns mean.
 */
import { CsvError, type Options, parse } from 'csv-parse/sync';

/** A text that is not a table; the message has the reason. */
export class NoTable extends Error {
  override readonly name = 'NoTable';
}

export interface Records {
  readonly records: readonly (readonly string[])[];
  /** 1-based line on which each record ends. */
  readonly lines: readonly number[];
}

const DELIMITERS = [',', ';', '\t'];

/**
 * The records of a text.
 *
 * @param skippedLines lines before the text that its line numbers count
 * @param delimiter default: the one that its first line that is not empty has most of
 * @throws NoTable
 */
export function delimitedRecords(text: string, skippedLines = 0, delimiter = usualDelimiter(text)): Records {
  const lines: number[] = [];
  const options: Options<string[], string[]> = {
    delimiter,
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
    record_delimiter: ['\r\n', '\n'],
    on_record: (record: string[], { lines: line }) => {
      lines.push(line + skippedLines);
      return record;
    },
  };
  try {
    return { records: parse(text, options), lines };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new NoTable(error.message);
  }
}

/** The delimiter that the first line that is not empty has most of. */
export function usualDelimiter(text: string): string {
  const begin = text.lastIndexOf('\n', Math.max(0, text.search(/\S/))) + 1;
  const firstLine = text.slice(begin).split('\n', 1)[0];
  return DELIMITERS.reduce((best, each) =>
    firstLine.split(each).length > firstLine.split(best).length ? each : best,
  );
}
