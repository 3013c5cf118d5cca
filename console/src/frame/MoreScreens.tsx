import { Drawer } from "@mantine/core";
import { text } from "~/text";
import { ScreenLink } from "./ScreenLink";
import type { Screen } from "./screens";

interface MoreScreensProps {
  opened: boolean;
  onClose: () => void;
  screens: Screen[];
}

/** The screens that have no room in the bar of a phone. */
export function MoreScreens({ opened, onClose, screens }: MoreScreensProps) {
  return (
    <Drawer opened={opened} onClose={onClose} position="bottom" title={text.nav.label} size="auto">
      {screens.map((screen) => (
        <ScreenLink key={screen.to} screen={screen} onClick={onClose} />
      ))}
    </Drawer>
  );
}
