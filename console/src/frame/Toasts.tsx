import { Notifications } from "@mantine/notifications";
import "@mantine/notifications/styles.css";

/** Where toasts appear; those that came before it has loaded are shown too. */
export default function Toasts() {
  return <Notifications position="bottom-right" withinPortal={false} />;
}
