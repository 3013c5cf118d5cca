import type { RoleRecord } from "@gamekeeper/client";
import { Badge, Button, Group, Paper, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { isSeen, SCREENS } from "~/frame/screens";
import { MayButton } from "~/parts/MayButton";
import { limitsInWords } from "~/parts/rights/limits";
import { ScopeList } from "~/parts/rights/ScopeList";
import { text as rights } from "~/parts/rights/text";
import { Fact } from "~/parts/sanctions/SanctionFacts";
import { Answered, NotFound } from "~/parts/states";
import { useMay, useMe } from "~/session";
import { DeleteRoleSheet, RoleSheet } from "./RoleSheet";
import { Mark } from "./RolesTab";
import classes from "./RolesTab.module.css";
import { useRoles } from "./roles";
import { text } from "./text";

/** One role: its rights, its limits, and the console as it looks to those who have it. */
export function RoleView({ name }: { name: string }) {
  const roles = useRoles();
  return (
    <Stack>
      <Group>
        <Button
          renderRoot={(props) => <Link to="/settings" search={{ tab: "roles" }} {...props} />}
          variant="subtle"
          color="gray"
          size="compact-sm"
          leftSection={<IconArrowLeft size={16} />}
        >
          {text.roles.back}
        </Button>
      </Group>
      <Answered query={roles}>
        {({ Values }) => {
          const role = Values.find((one) => one.Name === name);
          return role ? <Role role={role} /> : <NotFound />;
        }}
      </Answered>
    </Stack>
  );
}

function Role({ role }: { role: RoleRecord }) {
  const limits = limitsInWords(role.Limits);
  return (
    <>
      <Group justify="space-between" align="flex-start">
        <div>
          <Group gap="xs">
            <Title order={2}>{role.Name}</Title>
            {role.BuiltIn && <Badge variant="default">{text.roles.builtIn}</Badge>}
          </Group>
          <Text c="dimmed">{role.Description || text.roles.noDescription}</Text>
        </div>
        <Buttons role={role} />
      </Group>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <SeenAs role={role} />
        <Paper withBorder p="lg" component="section" aria-label={text.roles.rights}>
          <Stack>
            <Title order={3}>{text.roles.rights}</Title>
            {role.BuiltIn && (
              <Text size="sm" c="dimmed">
                {text.roles.builtInHint}
              </Text>
            )}
            <Fact label={text.roles.who}>
              <Link to="/settings" search={{ tab: "staff", role: role.Name }}>
                {text.roles.members(role.Members)}
              </Link>
            </Fact>
            <Fact label={text.roles.limits}>
              {limits.length === 0 ? rights.noLimits : limits.join("; ")}
            </Fact>
            <ScopeList scopes={role.Scopes} />
          </Stack>
        </Paper>
      </SimpleGrid>
    </>
  );
}

function Buttons({ role }: { role: RoleRecord }) {
  const [open, setOpen] = useState<"change" | "delete" | null>(null);
  const may = useMay("staff.manage");
  const isOwner = useMe().Roles.includes("owner");
  const mayChange = may && (isOwner || !role.BuiltIn);
  const close = () => setOpen(null);
  return (
    <Group gap="xs">
      <MayButton
        variant="default"
        refusal={mayChange ? null : may ? text.roles.builtInHint : text.mayNot}
        onClick={() => setOpen("change")}
      >
        {text.roles.change}
      </MayButton>
      {!role.BuiltIn && (
        <MayButton
          variant="default"
          refusal={may ? null : text.mayNot}
          onClick={() => setOpen("delete")}
        >
          {text.roles.remove}
        </MayButton>
      )}
      {open === "change" && <RoleSheet record={role} onClose={close} />}
      {open === "delete" && <DeleteRoleSheet role={role} onClose={close} />}
    </Group>
  );
}

/** The menu and what each screen lets one do, computed from the role's rights. */
function SeenAs({ role }: { role: RoleRecord }) {
  const has = (scope: string) => role.Scopes.includes(scope);
  return (
    <Paper withBorder p="lg" component="section" aria-label={text.roles.seeAs}>
      <Title order={3}>{text.roles.seeAs}</Title>
      <Text size="sm" c="dimmed" mb="sm">
        {text.roles.seeAsHint}
      </Text>
      <ul className={classes.plain}>
        {SCREENS.map((screen) => (
          <li key={screen.to} className={classes.screen}>
            <screen.icon size={20} stroke={1.75} aria-hidden="true" />
            <div>
              <Text fw={600} c={isSeen(screen, role.Scopes) ? undefined : "dimmed"}>
                {screen.label}
              </Text>
              {isSeen(screen, role.Scopes) ? (
                <ul className={classes.plain}>
                  {text.doings[screen.to]?.map(([label, scope]) => (
                    <li key={label} className={classes.doing}>
                      <Mark has={has(scope)} />
                      <Text size="sm" c={has(scope) ? undefined : "dimmed"}>
                        {label}
                      </Text>
                    </li>
                  ))}
                </ul>
              ) : (
                <Text size="sm" c="dimmed">
                  {text.roles.hiddenScreen}
                </Text>
              )}
            </div>
          </li>
        ))}
      </ul>
    </Paper>
  );
}
