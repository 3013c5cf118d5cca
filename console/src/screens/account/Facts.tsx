import type { User } from "@gamekeeper/client";
import { Badge, Flex, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { get } from "~/api";
import { duration } from "~/format";
import { When } from "~/parts/When";
import { useMay } from "~/session";
import { text } from "./text";
import { useRoles } from "./useRoles";

/** What everybody wants to know of an account, and where the log goes on. */
export function Facts({ user }: { user: User }) {
  const seesEmail = useMay("users.personal");
  const readsLog = useMay("actions.read");
  const roles = useRoles(user);
  return (
    <Flex wrap="wrap" columnGap="lg" rowGap={4} align="baseline">
      <Fact label={text.facts.email} title={seesEmail ? undefined : text.facts.masked}>
        {user.Email} <VerifiedBadge user={user} />
      </Fact>
      <Fact label={text.facts.registered}>
        <When at={user.RegistrationDate} span />
      </Fact>
      <Fact label={text.facts.played}>{duration(user.PlayTimeSeconds)}</Fact>
      {roles && roles.length > 0 && (
        <Fact label={text.facts.staff}>{roles.map(({ Name }) => Name).join(", ")}</Fact>
      )}
      {readsLog && (
        <Group gap="md" fz="sm">
          <Link to="/actions" search={{ user: user.Name }}>
            {text.facts.doneTo}
          </Link>
          <Link to="/actions" search={{ actor: user.Name }}>
            {text.facts.doneBy}
          </Link>
        </Group>
      )}
    </Flex>
  );
}

function VerifiedBadge({ user }: { user: User }) {
  const email = useQuery(
    get("/api/v1/users/{key}/email", { params: { path: { key: user.Name } } }),
  );
  if (!email.data) return null;
  const { IsVerified, IsRequired } = email.data;
  return (
    <Badge size="sm" variant="light" color={IsVerified ? "green" : IsRequired ? "orange" : "gray"}>
      {IsVerified ? text.facts.isVerified : text.facts.isNotVerified}
    </Badge>
  );
}

interface FactProps {
  label: string;
  title?: string | undefined;
  children: ReactNode;
}

function Fact({ label, title, children }: FactProps) {
  return (
    <Text title={title}>
      <Text span c="dimmed" size="sm">
        {label}{" "}
      </Text>
      {children}
    </Text>
  );
}
