import { MoreScreens } from "./MoreScreens";
import { SearchDialog } from "./SearchDialog";
import { Shortcuts } from "./Shortcuts";
import { StepUp } from "./StepUp";
import type { Screen } from "./screens";

interface DialogsProps {
  screens: Screen[];
  /** Those that have no room in the bar of a phone. */
  rest: Screen[];
  searching: boolean;
  helping: boolean;
  more: boolean;
  onClose: () => void;
}

/** What the frame opens above a screen. */
export default function Dialogs({ screens, rest, onClose, ...opened }: DialogsProps) {
  return (
    <>
      <MoreScreens opened={opened.more} onClose={onClose} screens={rest} />
      <SearchDialog opened={opened.searching} onClose={onClose} screens={screens} />
      <Shortcuts opened={opened.helping} onClose={onClose} screens={screens} />
      <StepUp />
    </>
  );
}
