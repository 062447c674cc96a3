/** A reporter that names the test files which had begun and had not ended when their worker process ended. */
import type { Reporter, TestModule } from 'vitest/node';

export default class UnfinishedFiles implements Reporter {
  private readonly begun = new Set<string>();

  onTestModuleStart({ relativeModuleId }: TestModule): void {
    this.begun.add(relativeModuleId);
  }

  onTestModuleEnd({ relativeModuleId }: TestModule): void {
    this.begun.delete(relativeModuleId);
  }

  onTestRunEnd(): void {
    if (this.begun.size > 0) console.error(`Begun and not ended:\n${[...this.begun].join('\n')}`);
  }
}
