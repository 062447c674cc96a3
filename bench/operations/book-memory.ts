/**
 * The largest memory of a server that answers a book of 100,000 loans, from its body to its answer, on each engine.
 *
 * The book is that of the documentation with more loans, each with a basket of its own, on the sample market.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { projectFile } from '../project.ts';
import { KEY, startService } from './service.ts';

const LOANS = 100_000;

interface Book {
  readonly params: { readonly mc_iter: number; readonly loans: readonly object[] };
}

export interface BookMemoryRow {
  readonly compute: 'cpu' | 'auto';
  readonly loans: number;
  readonly bodyMebibytes: number;
  readonly answerMebibytes: number;
  readonly peakMebibytes: number;
}

/** A book of 100,000 loans as a body. */
function body(): string {
  const example = execFileSync(process.execPath, [projectFile('docs/tools/book-example.mjs'), `${LOANS}`], {
    maxBuffer: 2 ** 26,
    encoding: 'utf8',
  });
  const { params, ...rest } = JSON.parse(example) as Book;
  const loans = params.loans.map((loan, k) => {
    const bitcoin = 0.3 + (0.4 * k) / LOANS;
    return { ...loan, collateral_weights: { BTC: bitcoin, ETH: 1 - bitcoin }, loan_weights: { USDC: 1 } };
  });
  return JSON.stringify({ ...rest, params: { ...params, mc_iter: 200, loans } });
}

export async function bookMemory(): Promise<BookMemoryRow[]> {
  const book = body();
  const rows: BookMemoryRow[] = [];
  for (const compute of ['cpu', 'auto'] as const) rows.push(await peakOf(book, compute));
  return rows;
}

async function peakOf(book: string, compute: BookMemoryRow['compute']): Promise<BookMemoryRow> {
  const service = await startService({ REQUEST_TIMEOUT_SECONDS: '600' });
  try {
    const { status, body: answer } = await service.call('/book_risk', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': KEY, 'x-compute': compute },
      body: book,
    });
    if (status !== 200) throw new Error(`the book was answered ${status}: ${answer.slice(0, 1000)}`);
    const facts = readFileSync(`/proc/${service.process.pid}/status`, 'utf8');
    return {
      compute,
      loans: LOANS,
      bodyMebibytes: Math.round(book.length / 2 ** 20),
      answerMebibytes: Math.round(answer.length / 2 ** 20),
      peakMebibytes: Math.round(Number(/^VmHWM:\s*(\d+)/m.exec(facts)?.[1]) / 1024),
    };
  } finally {
    await service.stop();
  }
}
