import { useEffect, useRef, useState } from "react";
import type { TimeTravel } from "./travel";

const STEP_MS = 900;

/** Step from change to change by itself, until the end or until somebody stops it. */
export function usePlayback(travel: TimeTravel) {
  const [direction, setDirection] = useState<-1 | 0 | 1>(0);
  const latest = useRef(travel);
  latest.current = travel;

  useEffect(() => {
    if (direction === 0) return;
    const timer = setInterval(() => {
      if (!latest.current.step(direction)) setDirection(0);
    }, STEP_MS);
    return () => clearInterval(timer);
  }, [direction]);

  return {
    direction,
    stop: () => setDirection(0),
    toggle(wanted: -1 | 1) {
      if (direction === wanted) return setDirection(0);
      setDirection(wanted);
      travel.step(wanted);
    },
  };
}
