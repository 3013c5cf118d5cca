import { NumberInput, type NumberInputProps } from "@mantine/core";

/** How many of an item: a whole number from 1. */
export function QuantityInput(props: NumberInputProps) {
  return <NumberInput min={1} allowDecimal={false} thousandSeparator="," {...props} />;
}
