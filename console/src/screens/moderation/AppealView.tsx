import type { Appeal, Sanction } from "@gamekeeper/client";
import { Button, Group, Stack, Text } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { get } from "~/api";
import { Card } from "~/parts/Card";
import { ActorLink } from "~/parts/people";
import { SanctionBadge } from "~/parts/sanctions/SanctionBadge";
import { SanctionCode } from "~/parts/sanctions/SanctionCard";
import { Fact, SanctionFacts } from "~/parts/sanctions/SanctionFacts";
import { Whom } from "~/parts/sanctions/Whom";
import { Answered } from "~/parts/states";
import { When } from "~/parts/When";
import { AppealState } from "./AppealState";
import classes from "./AppealView.module.css";
import { DecideForm } from "./DecideForm";
import { text } from "./text";

/** One appeal, with all that is needed to decide it on one screen. */
export function AppealView({ id }: { id: string }) {
  const appeal = useQuery(get("/api/v1/appeals/{id}", { params: { path: { id } } }));
  return (
    <Stack>
      <Group>
        <Button
          variant="subtle"
          size="compact-md"
          leftSection={<IconArrowLeft size={16} />}
          renderRoot={(props) => <Link to="/moderation" search={{ tab: "appeals" }} {...props} />}
        >
          {text.appeals.back}
        </Button>
      </Group>
      <Answered query={appeal}>
        {(found) => (
          <div className={classes.layout}>
            <Stack>
              <Words appeal={found} />
              {found.State === "open" ? <DecideForm appeal={found} /> : <Decision appeal={found} />}
            </Stack>
            <Stack>
              <Card title={text.appeals.sanction}>
                <Imposed sanction={found.Sanction} />
              </Card>
              <History of={found.Sanction} />
            </Stack>
          </div>
        )}
      </Answered>
    </Stack>
  );
}

function Words({ appeal }: { appeal: Appeal }) {
  return (
    <Card title={text.appeals.wrote}>
      <Text className={classes.words}>{appeal.Text}</Text>
      <Group gap="xs">
        <AppealState state={appeal.State} />
        <Text size="sm" c="dimmed">
          <Whom sanction={appeal.Sanction} /> · {text.appeals.opened}{" "}
          <When at={appeal.OpenedAt} span />
        </Text>
      </Group>
    </Card>
  );
}

function Decision({ appeal }: { appeal: Appeal }) {
  return (
    <Card title={text.appeals.decision}>
      <Stack gap="sm">
        <AppealState state={appeal.State} />
        {appeal.DecidedAt ? (
          <Text size="sm" c="dimmed">
            {text.appeals.by}{" "}
            <ActorLink actor={appeal.DecidedBy ?? ""} name={appeal.DecidedByName ?? ""} />{" "}
            <When at={appeal.DecidedAt} span />
          </Text>
        ) : (
          <Text c="dimmed">{text.appeals.closedHint}</Text>
        )}
        {appeal.Answer && (
          <Fact label={text.appeals.answered}>
            <Text className={classes.words}>{appeal.Answer}</Text>
          </Fact>
        )}
        {appeal.Reason && (
          <Fact label={text.appeals.reason}>
            <Text>{appeal.Reason}</Text>
          </Fact>
        )}
      </Stack>
    </Card>
  );
}

function Imposed({ sanction }: { sanction: Sanction }) {
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <SanctionBadge sanction={sanction} />
        <SanctionCode code={sanction.Code} />
      </Group>
      <Text size="sm" c="dimmed">
        {text.appeals.imposed} <When at={sanction.ImposedAt} span /> {text.appeals.by}{" "}
        <ActorLink actor={sanction.ImposedBy} name={sanction.ImposedByName} />
      </Text>
      <SanctionFacts sanction={sanction} />
    </Stack>
  );
}

/** What else was imposed on the account, notes too: whoever decides should know. */
function History({ of }: { of: Sanction }) {
  const record = useQuery(
    get("/api/v1/users/{key}/sanctions", {
      params: { path: { key: of.UserId }, query: { limit: 20 } },
    }),
  );
  return (
    <Card title={text.appeals.history}>
      <Answered query={record}>
        {({ Values }) => {
          const others = Values.filter((one) => one.Id !== of.Id);
          if (others.length === 0) return <Text c="dimmed">{text.appeals.noHistory}</Text>;
          return (
            <Stack gap="md">
              {others.map((one) => (
                <div key={one.Id}>
                  <Group justify="space-between" gap="xs">
                    <SanctionBadge sanction={one} />
                    <Text size="sm" c="dimmed">
                      <When at={one.ImposedAt} span />
                    </Text>
                  </Group>
                  <Text size="sm" mt={4}>
                    {one.Reason || one.Message}
                  </Text>
                </div>
              ))}
            </Stack>
          );
        }}
      </Answered>
    </Card>
  );
}
