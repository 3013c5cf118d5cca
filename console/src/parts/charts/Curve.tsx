import { lazy, type ReactNode, Suspense } from "react";
import { ChartFrame } from "./ChartFrame";
import type { ChartData } from "./series";

// The library is loaded when a curve is first shown: the first screen must be small.
const CurvePlot = lazy(() => import("./CurvePlot"));

interface CurveProps {
  title: string;
  beside?: ReactNode;
  note?: ReactNode;
  data: ChartData;
  height?: number;
  /** Whether the series are parts of a whole, one upon the other. */
  isStacked?: boolean;
}

/** Values over time as lines, or as areas upon each other. */
export function Curve({ isStacked = false, ...props }: CurveProps) {
  return (
    <ChartFrame
      {...props}
      plot={(plot) => (
        <Suspense fallback={null}>
          <CurvePlot {...plot} isStacked={isStacked} />
        </Suspense>
      )}
    />
  );
}
