/** A curve without axes, for the eye only: what it shows stands beside it as a number. */
export function Sparkline({
  values,
  width = 64,
  height = 20,
}: {
  values: number[];
  width?: number;
  height?: number;
}) {
  if (values.length < 2) return null;
  const most = Math.max(...values, 1);
  const points = values.map((value, at) => {
    const x = (at / (values.length - 1)) * width;
    const y = height - 1 - (value / most) * (height - 2);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return (
    <svg width={width} height={height} aria-hidden="true">
      <polyline
        points={points.join(" ")}
        fill="none"
        stroke="var(--mantine-primary-color-filled)"
        strokeWidth="1.5"
      />
    </svg>
  );
}
