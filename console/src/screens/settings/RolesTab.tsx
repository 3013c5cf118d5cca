import type { RoleRecord } from "@gamekeeper/client";
import { Badge, Group, Paper, Stack, Table, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconCheck, IconMinus, IconPlus } from "@tabler/icons-react";
import { Link, useSearch } from "@tanstack/react-router";
import { Fragment, useState } from "react";
import { grouped as digits } from "~/format";
import { MayButton } from "~/parts/MayButton";
import { LIMITS } from "~/parts/rights/limits";
import { grouped, summary, titleOf } from "~/parts/rights/scopes";
import { text as rights } from "~/parts/rights/text";
import { Answered } from "~/parts/states";
import { useMay } from "~/session";
import { RoleSheet } from "./RoleSheet";
import classes from "./RolesTab.module.css";
import { RoleView } from "./RoleView";
import { useRoles } from "./roles";
import { text } from "./text";

/** What each role may do, side by side; or one role. */
export function RolesTab() {
  const { role } = useSearch({ from: "/settings" });
  const isPhone = useMediaQuery("(max-width: 48em)", undefined, { getInitialValueInEffect: false });
  const may = useMay("staff.manage");
  const [making, setMaking] = useState(false);
  const roles = useRoles();
  if (role) return <RoleView name={role} />;
  return (
    <Stack>
      <Group justify="space-between">
        <Text c="dimmed">{text.roles.hint}</Text>
        <MayButton
          refusal={may ? null : text.mayNot}
          leftSection={<IconPlus size={16} />}
          onClick={() => setMaking(true)}
        >
          {text.roles.make}
        </MayButton>
      </Group>
      <Answered query={roles}>
        {({ Values }) => (isPhone ? <Cards roles={Values} /> : <Matrix roles={Values} />)}
      </Answered>
      {making && <RoleSheet record={null} onClose={() => setMaking(false)} />}
    </Stack>
  );
}

function RoleLink({ name }: { name: string }) {
  return (
    <Link to="/settings" search={{ tab: "roles", role: name }} className={classes.name}>
      {name}
    </Link>
  );
}

/** On a phone a matrix is too wide: a card for each role. */
function Cards({ roles }: { roles: RoleRecord[] }) {
  return (
    <Stack gap="sm">
      {roles.map((role) => (
        <Paper key={role.Name} withBorder p="md" component="article" aria-label={role.Name}>
          <Group justify="space-between">
            <RoleLink name={role.Name} />
            <Badge variant="default">{text.roles.members(role.Members)}</Badge>
          </Group>
          <Text size="sm">{role.Description}</Text>
          <Text size="sm" c="dimmed">
            {summary(role.Scopes, 3)}
          </Text>
        </Paper>
      ))}
    </Stack>
  );
}

function Matrix({ roles }: { roles: RoleRecord[] }) {
  const scopes = [...new Set(roles.flatMap((role) => role.Scopes))];
  return (
    <Paper
      withBorder
      className={classes.scroll}
      tabIndex={0}
      role="region"
      aria-label={text.roles.label}
    >
      <Table aria-label={text.roles.label} verticalSpacing={6} highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th className={classes.first}>{text.roles.right}</Table.Th>
            {roles.map((role) => (
              <Table.Th key={role.Name} className={classes.cell}>
                <RoleLink name={role.Name} />
                <Text size="xs" c="dimmed" fw={400}>
                  {text.roles.members(role.Members)}
                </Text>
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {grouped(scopes).map((group) => (
            <Fragment key={group.title}>
              <Heading title={group.title} columns={roles.length + 1} />
              {group.scopes.map((scope) => (
                <Table.Tr key={scope}>
                  <Table.Th scope="row" className={classes.first} fw={400}>
                    {titleOf(scope)}
                  </Table.Th>
                  {roles.map((role) => (
                    <Table.Td key={role.Name} className={classes.cell}>
                      <Mark has={role.Scopes.includes(scope)} />
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Fragment>
          ))}
          <Heading title={text.roles.limits} columns={roles.length + 1} />
          {LIMITS.map((limit) => (
            <Table.Tr key={limit}>
              <Table.Th scope="row" className={classes.first} fw={400}>
                {rights.limitNames[limit]}
              </Table.Th>
              {roles.map(({ Name, Limits }) => (
                <Table.Td key={Name} className={classes.cell}>
                  {Limits[limit] === null ? (
                    <Text size="xs" c="dimmed">
                      {rights.noLimit}
                    </Text>
                  ) : (
                    digits(Limits[limit])
                  )}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

function Heading({ title, columns }: { title: string; columns: number }) {
  return (
    <Table.Tr className={classes.heading}>
      <Table.Th scope="rowgroup" colSpan={columns}>
        {title}
      </Table.Th>
    </Table.Tr>
  );
}

export function Mark({ has }: { has: boolean }) {
  const Icon = has ? IconCheck : IconMinus;
  return (
    <Icon
      size={16}
      role="img"
      aria-label={has ? text.roles.has : text.roles.hasNot}
      className={has ? classes.has : classes.hasNot}
    />
  );
}
