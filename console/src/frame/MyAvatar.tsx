import { Avatar } from "@mantine/core";
import { useMe } from "~/session";

/** The initials of the person at the console. */
export function MyAvatar() {
  return <Avatar name={useMe().Name} color="moss" size={32} aria-hidden="true" />;
}
