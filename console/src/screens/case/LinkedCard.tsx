import type { Case, LinkedAccounts } from "@gamekeeper/client";
import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { get } from "~/api";
import { Card } from "~/parts/Card";
import { AccountLink } from "~/parts/people";
import { Answered } from "~/parts/states";
import { useMay } from "~/session";
import { text } from "./text";

const words = text.linked;

/** How many other accounts the reported person may have, and the strongest link in words. */
export function LinkedCard({ about }: { about: Case }) {
  // An erased account has no name, and no links.
  const may = useMay("users.linked") && about.UserName !== null;
  const linked = useQuery({
    ...get("/api/v1/users/{key}/linked", { params: { path: { key: about.UserId } } }),
    enabled: may,
  });
  if (!may) return null;
  return (
    <Card title={words.title}>
      <Answered query={linked}>{(found) => <Found linked={found} />}</Answered>
    </Card>
  );
}

function Found({ linked }: { linked: LinkedAccounts }) {
  const [strongest] = linked.Values;
  if (!strongest) return <Text c="dimmed">{words.none}</Text>;
  const count = linked.Values.length;
  const banned = linked.Values.filter((one) => one.IsBanned).length;
  return (
    <Stack gap={6}>
      <Text fw={550}>
        {linked.IsCut ? words.most(count) : words.count(count)}
        {banned > 0 && `, ${words.banned(banned)}`}
      </Text>
      <Text size="sm" component="div">
        {words.strongest} <AccountLink name={strongest.UserName} /> ({strongest.Summary})
      </Text>
      <Text size="sm">
        <Link to="/accounts/$key" params={{ key: linked.UserName }} search={{ tab: "linked" }}>
          {words.all}
        </Link>
      </Text>
    </Stack>
  );
}
