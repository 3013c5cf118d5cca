import { Button } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { Tab } from "./tabs";

/** The way from the page of one thing to the tab that lists them. */
export function Back({ tab, children }: { tab: Tab; children: string }) {
  return (
    <Button
      variant="subtle"
      size="compact-md"
      leftSection={<IconArrowLeft size={16} />}
      renderRoot={(props) => <Link to="/live-ops" search={{ tab }} {...props} />}
    >
      {children}
    </Button>
  );
}
