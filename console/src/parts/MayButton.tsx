import { Button, type ButtonProps, Tooltip } from "@mantine/core";
import type { ReactNode } from "react";

interface MayButtonProps extends ButtonProps {
  /** Why not; null: one may. */
  refusal: string | null;
  onClick: () => void;
  children: ReactNode;
  "aria-label"?: string;
}

/** A button that says why it does nothing, if one may not. */
export function MayButton({ refusal, onClick, ...props }: MayButtonProps) {
  return (
    <Tooltip label={refusal} disabled={refusal === null}>
      <Button
        {...props}
        data-disabled={refusal !== null || undefined}
        aria-disabled={refusal !== null}
        onClick={() => refusal === null && onClick()}
      />
    </Tooltip>
  );
}
