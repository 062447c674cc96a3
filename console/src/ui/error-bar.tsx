/**
 * An interval as a bar. The scale is the interval of the first, smallest run, so that the bar is seen to shrink as more paths
 * come in; the tick is the value, the line the exact figure where the law is known.
 */
import type { FigureAccuracy } from '../compute/answer.ts';

const WIDTH = 96;
const HEIGHT = 14;
/** Room beyond the first interval, on either side, as a part of its width. */
const MARGIN = 0.25;

export function ErrorBar(props: {
  readonly value: number;
  readonly accuracy: FigureAccuracy | undefined;
  readonly scale: FigureAccuracy | undefined;
}) {
  const { value, accuracy } = props;
  const scale = props.scale?.low == null ? accuracy : props.scale;
  if (accuracy?.low == null || accuracy.high == null || scale?.low == null || scale.high == null) return null;
  const span = (scale.high - scale.low) * (1 + 2 * MARGIN);
  if (!(span > 0)) return null;
  const from = scale.low - (scale.high - scale.low) * MARGIN;
  const x = (at: number) => Math.max(1, Math.min(WIDTH - 1, (WIDTH * (at - from)) / span));
  const middle = HEIGHT / 2;
  return (
    <svg
      class="error-bar"
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      aria-hidden="true"
    >
      <line class="rail-line" x1={0} x2={WIDTH} y1={middle} y2={middle} />
      <rect
        class="interval-box"
        x={x(accuracy.low)}
        width={Math.max(1.5, x(accuracy.high) - x(accuracy.low))}
        y={middle - 3}
        height={6}
      />
      {typeof accuracy.exact === 'number' && (
        <line class="exact-line" x1={x(accuracy.exact)} x2={x(accuracy.exact)} y1={0} y2={HEIGHT} />
      )}
      <line class="value-line" x1={x(value)} x2={x(value)} y1={middle - 5} y2={middle + 5} />
    </svg>
  );
}
