import { Text } from "@mantine/core";
import { signed } from "~/format";

/** A change of a number: its sign, a colour, and a shape for those who see no colour. */
export function Quantity({ change }: { change: number }) {
  const color = change > 0 ? "var(--gk-gain)" : change < 0 ? "var(--gk-loss)" : undefined;
  const shape = change > 0 ? "▲" : change < 0 ? "▼" : "";
  return (
    <Text
      span
      inherit
      c={color}
      style={{ whiteSpace: "nowrap", fontVariantNumeric: "tabular-nums" }}
    >
      <span aria-hidden="true">{shape} </span>
      {signed(change)}
    </Text>
  );
}
