import type { ServersNow } from "@gamekeeper/client";
import { Anchor, Paper, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { ServerDot } from "~/parts/ServerDot";
import { When } from "~/parts/When";
import classes from "./Overview.module.css";
import { text } from "./text";

const SHOWN = 6;

/** The servers with their leases, and who plays where. */
export function ServerList({ servers }: { servers: ServersNow }) {
  return (
    <Paper withBorder p="md" component="section">
      <Title order={2} mb={4}>
        {text.serverList}
      </Title>
      {servers.Total === 0 && (
        <Text size="sm" c="dimmed">
          {text.noServers}
        </Text>
      )}
      <ul className={classes.list}>
        {servers.Values.slice(0, SHOWN).map((server) => (
          <li key={server.Id}>
            <Link to="/servers/$server" params={{ server: server.Name }} className={classes.row}>
              <ServerDot isAlive={server.Alive} />
              <div className={classes.grow}>
                <Text size="sm" truncate c={server.Alive ? undefined : "dimmed"}>
                  {server.Name}
                </Text>
                <Text size="xs" c="dimmed">
                  {server.LeaseUntil === null ? (
                    text.leaseNever
                  ) : (
                    <>
                      {server.Alive ? text.leaseEnds : text.leaseLost}{" "}
                      <When at={server.LeaseUntil} />
                    </>
                  )}
                </Text>
              </div>
              <Text size="sm" c={server.Alive ? undefined : "dimmed"}>
                {text.players(server.Online)}
              </Text>
            </Link>
          </li>
        ))}
      </ul>
      {servers.Total > 0 && (
        <Anchor size="sm" renderRoot={(props) => <Link to="/servers" {...props} />}>
          {text.allServers}
        </Anchor>
      )}
    </Paper>
  );
}
