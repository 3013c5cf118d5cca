import { Text } from "@mantine/core";
import { When } from "~/parts/When";
import { text } from "./text";

/** When something was done, and by whom. */
export function By({ at, name }: { at: string; name: string | null }) {
  return (
    <Text component="div" inherit>
      <When at={at} span /> {name && `${text.by} ${name}`}
    </Text>
  );
}
