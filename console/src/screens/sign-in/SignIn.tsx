import type { SessionStatus } from "@gamekeeper/client";
import { Alert, Box, Center, Loader, Paper, Stack, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { config } from "~/config";
import { type Method, SecondFactor } from "~/parts/SecondFactor";
import { me } from "~/session";
import { Enrolment } from "./Enrolment";
import { Invitation } from "./Invitation";
import { followLink, invitationCode, linkCode } from "./link";
import { Password } from "./Password";
import { text } from "./text";

type Step = "password" | "second" | "enrol" | "link" | "invitation";

function firstStep(): Step {
  if (linkCode()) return "link";
  return invitationCode() ? "invitation" : "password";
}

/** Password, then the second factor; on the first sign-in, its enrolment. */
export function SignIn() {
  useDocumentTitle(`${text.title} · ${config.game}`);
  const { to } = useSearch({ from: "/sign-in" });
  const navigate = useNavigate();
  const client = useQueryClient();
  const unfinished = useQuery(me);
  const [step, setStep] = useState<Step>(firstStep);
  const [methods, setMethods] = useState<Method[]>([]);
  const [linkOver, setLinkOver] = useState(false);

  // Whoever reloads the page half-way goes on where they were.
  const state = unfinished.data?.Session?.State;
  useEffect(() => {
    if (state === "enrolment_required") setStep("enrol");
  }, [state]);

  useEffect(() => {
    if (step !== "link") return;
    followLink().then(enter, () => {
      setLinkOver(true);
      setStep("password");
    });
  });

  function next(status: SessionStatus) {
    setMethods(status.Methods);
    if (status.State === "signed_in") void enter();
    else setStep(status.State === "enrolment_required" ? "enrol" : "second");
  }

  async function enter() {
    client.removeQueries();
    await navigate({ href: to ?? "/", replace: true });
  }

  if (step === "link") {
    return (
      <Card title={text.link}>
        <Center p="lg">
          <Loader />
        </Center>
      </Card>
    );
  }
  if (step === "invitation") {
    return (
      <Card title={text.invitation} hint={text.invitationHint(config.game)}>
        <Invitation onAnswer={next} />
      </Card>
    );
  }
  if (step === "second") {
    return (
      <Card title={text.second} hint={text.secondHint}>
        <SecondFactor methods={methods} onPassed={() => void enter()} />
      </Card>
    );
  }
  if (step === "enrol") {
    return (
      <Card title={text.enrol} hint={text.enrolHint}>
        <Enrolment onDone={() => void enter()} />
      </Card>
    );
  }
  return (
    <Card title={text.title} hint={config.game}>
      {linkOver && <Alert color="yellow">{text.linkOver}</Alert>}
      <Password onAnswer={next} />
    </Card>
  );
}

function Card({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder p="xl" w="100%" maw={420} shadow="sm">
        <Stack>
          <Box>
            <img src={`${config.root}/api/docs/mark.svg`} alt="" width={32} height={37} />
            <Title order={1} mt="xs">
              {title}
            </Title>
            {hint && <Text c="dimmed">{hint}</Text>}
          </Box>
          {children}
        </Stack>
      </Paper>
    </Center>
  );
}
