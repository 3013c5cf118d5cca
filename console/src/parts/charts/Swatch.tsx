import { useId } from "react";
import { colorOf, patternOf } from "./palette";

/** The colour and pattern of a series, as tiles of SVG. */
export function Patterns({ id, count }: { id: string; count: number }) {
  return (
    <defs>
      {Array.from({ length: count }, (_, index) => (
        <pattern
          // biome-ignore lint/suspicious/noArrayIndexKey: the place is what it is
          key={index}
          id={`${id}-${index}`}
          width="6"
          height="6"
          patternUnits="userSpaceOnUse"
        >
          <rect width="6" height="6" fill={colorOf(index)} />
          <path d={patternOf(index)} stroke="var(--mantine-color-body)" strokeOpacity="0.55" />
        </pattern>
      ))}
    </defs>
  );
}

/** How a series looks in its chart, small. */
export function Swatch({ index }: { index: number }) {
  const id = useId();
  return (
    <svg width="12" height="12" aria-hidden="true">
      <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse">
        <rect width="6" height="6" fill={colorOf(index)} />
        <path d={patternOf(index)} stroke="var(--mantine-color-body)" strokeOpacity="0.55" />
      </pattern>
      <rect width="12" height="12" rx="3" fill={`url(#${id})`} />
    </svg>
  );
}
