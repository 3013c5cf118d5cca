import { Text, Tooltip } from "@mantine/core";
import { IconAlertTriangle, IconShieldCheck, IconShieldQuestion } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { get } from "~/api";
import { When } from "~/parts/When";
import classes from "./Actions.module.css";
import { text } from "./text";

/** When it was last shown that nobody has changed the log, and how far. */
export function ChainBadge() {
  const chain = useQuery(get("/api/v1/overview")).data?.Chain;
  if (!chain) return null;
  if (chain.Breaches) {
    return (
      <span className={classes.chain} data-state="broken">
        <IconAlertTriangle size={16} aria-hidden="true" />
        {text.chain.broken(chain.Breaches)}
      </span>
    );
  }
  if (!chain.VerifiedAt) {
    return (
      <Tooltip label={text.chain.neverHint}>
        <span className={classes.chain}>
          <IconShieldQuestion size={16} aria-hidden="true" />
          {text.chain.never}
        </span>
      </Tooltip>
    );
  }
  return (
    <span className={classes.chain} data-state="good">
      <IconShieldCheck size={16} aria-hidden="true" />
      <Text span inherit>
        {text.chain.verified} <When at={chain.VerifiedAt} span />
        {chain.VerifiedThroughAt && (
          <>
            , {text.chain.upTo} <When at={chain.VerifiedThroughAt} span />
          </>
        )}
      </Text>
    </span>
  );
}
