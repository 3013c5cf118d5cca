import type { StaffMember } from "@gamekeeper/client";
import { Badge, Group, Select, Stack, Text } from "@mantine/core";
import { IconPlus, IconUserPlus } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { get } from "~/api";
import { type Column, DataTable } from "~/parts/DataTable";
import { MayButton } from "~/parts/MayButton";
import { Pager } from "~/parts/Pager";
import { summary } from "~/parts/rights/scopes";
import { Answered, Empty } from "~/parts/states";
import { When } from "~/parts/When";
import { useMay, useMe } from "~/session";
import { GrantSheet } from "./GrantSheet";
import { Invitations } from "./Invitations";
import { InviteSheet } from "./InviteSheet";
import { MemberView } from "./MemberView";
import { useRoles } from "./roles";
import { text } from "./text";

const PAGE_SIZE = 50;

const COLUMNS: Column<StaffMember>[] = [
  { key: "name", title: text.staff.name, cell: (member) => <Name member={member} /> },
  {
    key: "roles",
    title: text.staff.roles,
    cell: (member) => (
      <Group gap={4}>
        {member.Roles.map((role) => (
          <Badge key={role.Name} variant="default">
            {role.Name}
          </Badge>
        ))}
      </Group>
    ),
  },
  {
    key: "may",
    title: text.staff.may,
    secondary: true,
    cell: (member) => (
      <Text size="sm" c="dimmed">
        {summary(member.Scopes)}
      </Text>
    ),
  },
  {
    key: "since",
    title: text.staff.since,
    secondary: true,
    cell: (member) => {
      const since = member.Roles.map((role) => role.GrantedAt).sort()[0];
      return since && <When at={since} size="sm" />;
    },
  },
];

function Name({ member }: { member: StaffMember }) {
  const isMe = useMe().UserId === member.UserId;
  return (
    <Text size="sm" fw={600}>
      {member.Name}
      {isMe && (
        <Text span inherit fw={400} c="dimmed">
          {" "}
          ({text.staff.you})
        </Text>
      )}
    </Text>
  );
}

/** Everybody on the staff, or one of them. */
export function StaffTab() {
  const { member } = useSearch({ from: "/settings" });
  return member ? <MemberView name={member} /> : <StaffList />;
}

function StaffList() {
  const { role, page = 0 } = useSearch({ from: "/settings" });
  const navigate = useNavigate();
  const [granting, setGranting] = useState(false);
  const [inviting, setInviting] = useState(false);
  const may = useMay("staff.manage");
  const roles = useRoles();
  const query = { page, pageSize: PAGE_SIZE, ...(role && { role }) };
  const staff = useQuery({
    ...get("/api/v1/staff", { params: { query } }),
    placeholderData: keepPreviousData,
  });
  return (
    <Stack>
      <Group justify="space-between" align="flex-end">
        <Select
          label={text.staff.role}
          placeholder={text.staff.everyRole}
          data={roles.data?.Values.map(({ Name }) => Name) ?? []}
          value={role ?? null}
          clearable
          onChange={(next) =>
            void navigate({
              to: "/settings",
              search: { tab: "staff", ...(next && { role: next }) },
            })
          }
        />
        <Group gap="xs">
          <MayButton
            variant="default"
            refusal={may ? null : text.mayNot}
            leftSection={<IconUserPlus size={16} />}
            onClick={() => setInviting(true)}
          >
            {text.invite.title}
          </MayButton>
          <MayButton
            refusal={may ? null : text.mayNot}
            leftSection={<IconPlus size={16} />}
            onClick={() => setGranting(true)}
          >
            {text.staff.add}
          </MayButton>
        </Group>
      </Group>
      <Answered query={staff}>
        {({ Values, Total }) =>
          Values.length === 0 ? (
            <Empty title={text.staff.none} hint={text.staff.noneHint} />
          ) : (
            <>
              <DataTable
                label={text.staff.label}
                columns={COLUMNS}
                rows={Values}
                rowKey={(member) => member.UserId}
                onOpen={(member) =>
                  void navigate({ to: "/settings", search: { tab: "staff", member: member.Name } })
                }
              />
              {Total > PAGE_SIZE && (
                <Pager
                  page={page}
                  pageSize={PAGE_SIZE}
                  total={Total}
                  onPage={(next) =>
                    void navigate({
                      to: "/settings",
                      search: { tab: "staff", page: next, ...(role && { role }) },
                    })
                  }
                />
              )}
            </>
          )
        }
      </Answered>
      <Invitations />
      {inviting && <InviteSheet onClose={() => setInviting(false)} />}
      {granting && <GrantSheet member={null} onClose={() => setGranting(false)} />}
    </Stack>
  );
}
