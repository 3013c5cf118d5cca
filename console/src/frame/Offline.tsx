import { GamekeeperError } from "@gamekeeper/client";
import { Alert } from "@mantine/core";
import { IconCloudOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { me } from "~/session";
import { text } from "~/text";

/** Says that the service does not answer, until it does again. */
export function Offline() {
  const { error } = useQuery({ ...me, refetchInterval: 15_000 });
  if (!(error instanceof GamekeeperError) || (error.status !== 0 && error.status < 500))
    return null;
  return (
    <Alert color="yellow" icon={<IconCloudOff />} mb="md" role="status">
      {text.states.offline}
    </Alert>
  );
}
