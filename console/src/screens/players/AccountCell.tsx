import type { Player } from "@gamekeeper/client";
import { Tooltip } from "@mantine/core";
import { IconUserCircle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { get } from "~/api";
import { useMay } from "~/session";
import classes from "./Players.module.css";
import { text } from "./text";

/**
 * The way to a character's account. The list has only its id, and a call for each row would be
 * dear: the name is asked for when somebody points at it.
 */
export function AccountCell({ player }: { player: Player }) {
  const may = useMay("users.query");
  const [isWanted, setWanted] = useState(false);
  const query = get("/api/v1/users/{key}", { params: { path: { key: player.UserId } } });
  const { data } = useQuery({ ...query, enabled: isWanted && may, staleTime: 60_000 });
  if (!may) return "—";
  return (
    <Tooltip label={data?.Name ?? text.accountOf(player.Name)}>
      <Link
        to="/accounts/$key"
        params={{ key: data?.Name ?? player.UserId }}
        className={classes.account}
        aria-label={data?.Name ?? text.accountOf(player.Name)}
        onPointerEnter={() => setWanted(true)}
        onFocus={() => setWanted(true)}
        onClick={(event) => event.stopPropagation()}
      >
        <IconUserCircle size={18} stroke={1.5} aria-hidden="true" />
        {data && <span>{data.Name}</span>}
      </Link>
    </Tooltip>
  );
}
