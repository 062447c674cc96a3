/** Which engines this machine has: each is opened once, in a process of its own. */
import { type BenchEngine, ENGINES } from './engines.ts';
import { type AdapterText, ask } from './jobs.ts';

/** An engine that opened, and what it says of itself. */
export interface EngineFacts {
  readonly name: string;
  readonly what: string;
  readonly device: string;
  readonly adapter?: AdapterText;
  readonly features?: readonly string[];
  readonly limits?: Readonly<Record<string, number>>;
}

export interface Discovery {
  readonly engines: readonly BenchEngine[];
  readonly facts: readonly EngineFacts[];
  /** Engines that did not open, and why. */
  readonly absent: readonly { readonly name: string; readonly why: string }[];
}

/** Opens every engine that is chosen, and says so of each. */
export async function discover(
  chosen: (engine: BenchEngine) => boolean,
  say: (line: string) => void = () => {},
): Promise<Discovery> {
  const engines: BenchEngine[] = [];
  const facts: EngineFacts[] = [];
  const absent: { name: string; why: string }[] = [];
  for (const engine of ENGINES.filter(chosen)) {
    const { answer } = await ask({ kind: 'describe', engine: engine.name });
    if (answer.kind === 'described') {
      const { kind: _, description, ...rest } = answer;
      say(`${engine.name}: ${description.device}`);
      engines.push(engine);
      facts.push({ name: engine.name, what: engine.what, device: description.device, ...rest });
    } else {
      absent.push({ name: engine.name, why: 'message' in answer ? answer.message : answer.kind });
    }
  }
  return { engines, facts, absent };
}
