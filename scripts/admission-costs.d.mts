/** A report of the bench, as far as costs are taken from it. */
export interface CostReport {
  readonly growth: readonly {
    readonly engine: string;
    readonly axis: string;
    readonly paths: number;
    readonly points: readonly { readonly size: number; readonly milliseconds: number }[];
  }[];
}
/** The text of src/admission/measured-costs.ts for a report. @throws Error where the report lacks what it needs */
export function costsModule(
  name: string,
  report: CostReport,
  workOf: (plan: string, paths: number) => number,
): string;
/** A report of bench/results. */
export function reportNamed(name: string): CostReport;
