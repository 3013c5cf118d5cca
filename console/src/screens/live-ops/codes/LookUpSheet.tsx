import type { CodeFacts } from "@gamekeeper/client";
import { Alert, Anchor, Button, Drawer, Group, Stack, TextInput, Title } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconCircleX, IconMail, IconSearch } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { gk } from "~/api";
import { withSecondFactor } from "~/change";
import { Fact } from "~/parts/sanctions/SanctionFacts";
import { useFocusReturn } from "~/parts/useFocusReturn";
import { useNow, When } from "~/parts/When";
import { useMay } from "~/session";
import { BatchState } from "./BatchState";
import { stateOf } from "./batch";
import { RedeemSheet } from "./RedeemSheet";
import { RedemptionTable } from "./Redemptions";
import { RevokeCodeSheet } from "./sheets";
import { text } from "./text";

const words = text.find;

/** A code that was looked up: its facts, and its revocation, must not be about what is typed since. */
interface Found {
  code: string;
  facts: CodeFacts;
}

/** One code: its batch, who redeemed it, and its revocation. */
export function LookUpSheet({ onClose }: { onClose: () => void }) {
  const isPhone = useMediaQuery("(max-width: 48em)");
  const [code, setCode] = useState("");
  const [found, setFound] = useState<Found | null>(null);
  const [open, setOpen] = useState<"revoke" | "redeem" | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  useFocusReturn(true);

  async function lookUp(event?: FormEvent) {
    event?.preventDefault();
    if (busy) return;
    setBusy(true);
    setRefusal(null);
    try {
      const look = () => gk.post("/api/v1/codes/look-up", { body: { code } });
      setFound({ code, facts: await withSecondFactor(look) });
    } catch (error) {
      setFound(null);
      setRefusal(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  }

  const close = () => setOpen(null);
  if (found && open === "revoke")
    return (
      <RevokeCodeSheet
        {...found}
        onRevoked={(facts) => setFound({ ...found, facts })}
        onClose={close}
      />
    );
  if (found && open === "redeem")
    return <RedeemSheet {...found} onRedeemed={() => void lookUp()} onClose={close} />;
  return (
    <Drawer
      opened
      onClose={onClose}
      title={
        <Title order={2} component="span">
          {words.title}
        </Title>
      }
      position={isPhone ? "bottom" : "right"}
      size={isPhone ? "90%" : "md"}
      closeButtonProps={{ "aria-label": words.close }}
    >
      <Stack>
        <form onSubmit={(event) => void lookUp(event)}>
          <Stack>
            <TextInput
              label={words.code}
              description={words.whom}
              required
              maxLength={80}
              autoComplete="off"
              spellCheck={false}
              data-autofocus
              readOnly={busy}
              value={code}
              onChange={(event) => {
                setCode(event.currentTarget.value);
                setFound(null);
              }}
            />
            <Group justify="flex-end">
              <Button
                type="submit"
                loading={busy}
                disabled={!code.trim()}
                leftSection={<IconSearch size={16} />}
              >
                {words.submit}
              </Button>
            </Group>
          </Stack>
        </form>
        {refusal && (
          <Alert color="red" role="alert">
            {refusal}
          </Alert>
        )}
        {found && <Facts facts={found.facts} onOpen={setOpen} />}
      </Stack>
    </Drawer>
  );
}

interface FactsProps {
  facts: CodeFacts;
  onOpen: (sheet: "revoke" | "redeem") => void;
}

function Facts({ facts: { Batch, Used, RevokedAt, Redemptions }, onOpen }: FactsProps) {
  const mayRevoke = useMay("codes.manage");
  const mayRedeem = useMay("codes.redeem");
  const state = stateOf(Batch, useNow());
  const isRevoked = RevokedAt !== null || state === "revoked";
  const isOpen = !isRevoked && state === "active" && Used < Batch.Uses;
  return (
    <Stack role="status">
      <Fact label={text.columns.name}>
        <Anchor
          renderRoot={(props) => (
            <Link to="/codes/$batch" params={{ batch: Batch.Id }} {...props} />
          )}
        >
          {Batch.Name}
        </Anchor>
      </Fact>
      <Fact label={text.columns.state}>
        <BatchState batch={RevokedAt ? { ...Batch, State: "revoked" } : Batch} />
      </Fact>
      <Fact label={words.used}>{words.usedOf(Used, Batch.Uses)}</Fact>
      {Batch.StartsAt && (
        <Fact label={text.page.starts}>
          <When at={Batch.StartsAt} />
        </Fact>
      )}
      <Fact label={text.page.expires}>
        {Batch.ExpiresAt ? <When at={Batch.ExpiresAt} /> : text.never}
      </Fact>
      {RevokedAt && (
        <Fact label={words.revoked}>
          <When at={RevokedAt} />
        </Fact>
      )}
      {Redemptions.length > 0 && <RedemptionTable rows={Redemptions} />}
      <Group justify="flex-end">
        {mayRevoke && !isRevoked && (
          <Button
            variant="default"
            leftSection={<IconCircleX size={16} />}
            onClick={() => onOpen("revoke")}
          >
            {words.revokeButton}
          </Button>
        )}
        {mayRedeem && isOpen && (
          <Button
            variant="default"
            leftSection={<IconMail size={16} />}
            onClick={() => onOpen("redeem")}
          >
            {words.redeem.button}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
