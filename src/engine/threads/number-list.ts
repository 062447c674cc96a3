/** Numbers in memory that is kept where `length` is set to 0; a plain array gives its memory back. */
export class NumberList {
  values = new Float64Array(1024);
  length = 0;

  /** Adds two numbers at the end. */
  addTwo(first: number, second: number): void {
    if (this.length === this.values.length) {
      const { values } = this;
      this.values = new Float64Array(2 * values.length);
      this.values.set(values);
    }
    this.values[this.length++] = first;
    this.values[this.length++] = second;
  }
}
