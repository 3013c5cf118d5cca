import type { Factors } from "@gamekeeper/client";
import { Button, Code, getDefaultZIndex, Modal, Stack, Text, Title } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { get } from "~/api";
import { type Method, SecondFactor } from "~/parts/SecondFactor";
import { Answered } from "~/parts/states";
import { me, useMe } from "~/session";
import { text as common } from "~/text";
import { close, useIsAsking } from "./question";
import { text } from "./text";

/** The dialog of `askSecondFactor`; the frame has one. */
export function StepUp() {
  const client = useQueryClient();
  const opened = useIsAsking();
  const factors = useQuery({
    ...get("/api/v1/me/factors"),
    enabled: opened,
    // Whoever comes back from the authenticator app is typing.
    refetchOnWindowFocus: false,
  });

  function pass() {
    close(true);
    void client.invalidateQueries({ queryKey: me.queryKey });
  }

  return (
    <Modal
      opened={opened}
      onClose={() => close(false)}
      title={
        <Title order={2} component="span">
          {text.stepUp.title}
        </Title>
      }
      centered
      // Above the drawer whose change asks, which has the z-index of every modal.
      zIndex={getDefaultZIndex("popover")}
      closeButtonProps={{ "aria-label": common.change.close }}
    >
      <Answered query={factors}>
        {(found) =>
          found.Values.length > 0 ? <Confirm factors={found} onPassed={pass} /> : <NoFactor />
        }
      </Answered>
    </Modal>
  );
}

function Confirm({ factors, onPassed }: { factors: Factors; onPassed: () => void }) {
  const methods: Method[] = [...new Set(factors.Values.map((factor) => factor.Kind))];
  if (factors.RecoveryCodesLeft > 0) methods.push("recovery");
  const hasPasskey = methods.includes("passkey");
  const words = methods.includes("totp")
    ? hasPasskey
      ? text.stepUp.either
      : text.stepUp.app
    : text.stepUp.passkey;
  return (
    <Stack>
      <Text>{words}</Text>
      <SecondFactor key={methods.join()} methods={methods} onPassed={onPassed} />
    </Stack>
  );
}

/** What to do without a second factor: there is nothing that could be asked for. */
function NoFactor() {
  const { Name } = useMe();
  const link = useRef<HTMLAnchorElement>(null);
  // The dialog has moved the focus to its close button while the factors were loading, and React
  // ignores autoFocus on links. If they were loaded before, the dialog obeys data-autofocus.
  useEffect(() => link.current?.focus(), []);
  return (
    <Stack>
      <Text>{text.stepUp.noFactor}</Text>
      <Button
        renderRoot={(props) => <Link to="/profile" {...props} ref={link} />}
        onClick={() => close(false)}
        data-autofocus
      >
        {text.stepUp.add}
      </Button>
      <Text size="sm">
        {text.stepUp.link} <Code>gamekeeper staff link {Name}</Code>
      </Text>
    </Stack>
  );
}
