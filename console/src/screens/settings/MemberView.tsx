import type { StaffMember } from "@gamekeeper/client";
import { Button, Group, Paper, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { IconArrowLeft, IconPlus } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { BeforeAfter } from "~/parts/BeforeAfter";
import { ChangeSheet } from "~/parts/ChangeSheet";
import { MayButton } from "~/parts/MayButton";
import { limitsInWords } from "~/parts/rights/limits";
import { ScopeList } from "~/parts/rights/ScopeList";
import { text as rights } from "~/parts/rights/text";
import { Fact } from "~/parts/sanctions/SanctionFacts";
import { StaffSessions } from "~/parts/sessions/StaffSessions";
import { Answered, NotFound } from "~/parts/states";
import { When } from "~/parts/When";
import { useMay } from "~/session";
import { GrantSheet } from "./GrantSheet";
import { grant, opposite, roleNames, useRoles, useStaff, withdraw } from "./roles";
import { text } from "./text";

/** One of the staff: roles, rights, where they are signed in. */
export function MemberView({ name }: { name: string }) {
  const staff = useStaff();
  return (
    <Stack>
      <Group>
        <Button
          renderRoot={(props) => <Link to="/settings" search={{ tab: "staff" }} {...props} />}
          variant="subtle"
          color="gray"
          size="compact-sm"
          leftSection={<IconArrowLeft size={16} />}
        >
          {text.staff.back}
        </Button>
      </Group>
      <Answered query={staff}>
        {({ Values }) => {
          const member = Values.find((one) => one.Name.toLowerCase() === name.toLowerCase());
          return member ? <Member member={member} /> : <NotFound />;
        }}
      </Answered>
    </Stack>
  );
}

function Member({ member }: { member: StaffMember }) {
  const may = useMay("staff.manage");
  return (
    <>
      <Group justify="space-between">
        <Title order={2}>{member.Name}</Title>
        <Group>
          <Link to="/accounts/$key" params={{ key: member.Name }}>
            {text.staff.account}
          </Link>
          <Link to="/actions" search={{ actor: `user:${member.UserId}` }}>
            {text.staff.actions}
          </Link>
        </Group>
      </Group>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Stack>
          <Roles member={member} may={may} />
          <StaffSessions name={member.Name} order={3} />
        </Stack>
        <Rights member={member} />
      </SimpleGrid>
    </>
  );
}

function Roles({ member, may }: { member: StaffMember; may: boolean }) {
  const [granting, setGranting] = useState(false);
  const [leaving, setLeaving] = useState<string | null>(null);
  const refusal = may ? null : text.mayNot;
  return (
    <Paper withBorder p="lg" component="section" aria-label={text.staff.roles}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={3}>{text.staff.roles}</Title>
          <MayButton
            size="xs"
            variant="default"
            refusal={refusal}
            leftSection={<IconPlus size={14} />}
            onClick={() => setGranting(true)}
          >
            {text.staff.add}
          </MayButton>
        </Group>
        {member.Roles.length === 0 && <Text c="dimmed">{text.staff.noRoles}</Text>}
        {member.Roles.map((role) => (
          <Group key={role.Name} justify="space-between">
            <Text>
              <Link to="/settings" search={{ tab: "roles", role: role.Name }}>
                {role.Name}
              </Link>{" "}
              <Text span size="sm" c="dimmed">
                {text.staff.gave} <When at={role.GrantedAt} span />
              </Text>
            </Text>
            <MayButton
              size="xs"
              variant="default"
              refusal={refusal}
              aria-label={text.staff.withdrawLabel(role.Name)}
              onClick={() => setLeaving(role.Name)}
            >
              {text.staff.withdraw}
            </MayButton>
          </Group>
        ))}
      </Stack>
      {granting && <GrantSheet member={member} onClose={() => setGranting(false)} />}
      {leaving && <WithdrawSheet member={member} role={leaving} onClose={() => setLeaving(null)} />}
    </Paper>
  );
}

interface WithdrawSheetProps {
  member: StaffMember;
  role: string;
  onClose: () => void;
}

function WithdrawSheet({ member, role, onClose }: WithdrawSheetProps) {
  const { Name: name } = member;
  const held = roleNames(member);
  const left = held.filter((one) => one !== role);
  const roles = useRoles().data?.Values ?? [];
  const kept = new Set(roles.filter((one) => left.includes(one.Name)).flatMap((one) => one.Scopes));
  const lost = member.Scopes.filter((scope) => !kept.has(scope)).length;
  return (
    <ChangeSheet
      permission="staff.manage"
      opened
      onClose={onClose}
      title={text.staff.withdrawTitle(name, role)}
      whom={text.staff.withdrawWhom}
      subject={{ user: name }}
      preview={
        <BeforeAfter
          changes={[
            {
              key: "roles",
              label: name,
              note: lost > 0 ? text.staff.loses(lost) : text.staff.nothingNew,
              before: held.join(", "),
              after: left.join(", "),
            },
          ]}
        />
      }
      ready
      submitLabel={text.staff.withdrawNow}
      done={text.staff.withdrawn(name, role)}
      undoable={false}
      wayBack={opposite((init) => grant(name, role, text.undo, init))}
      submit={(reason, init) => withdraw(name, role, reason, init)}
    />
  );
}

function Rights({ member }: { member: StaffMember }) {
  const limits = limitsInWords(member.Limits);
  return (
    <Paper withBorder p="lg" component="section" aria-label={text.staff.rights}>
      <Stack>
        <div>
          <Title order={3}>{text.staff.rights}</Title>
          <Text size="sm" c="dimmed">
            {text.staff.rightsHint}
          </Text>
        </div>
        <Fact label={text.staff.limits}>
          {limits.length === 0 ? rights.noLimits : limits.join("; ")}
        </Fact>
        <ScopeList scopes={member.Scopes} />
      </Stack>
    </Paper>
  );
}
