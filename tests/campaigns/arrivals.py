"""A crowd that joins and leaves two game servers, and lazy campaigns for it."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from gamekeeper.campaigns import changes, joins, runner
from gamekeeper.campaigns.changes import NewCampaign
from gamekeeper.campaigns.records import Campaign, CampaignWork
from gamekeeper.core.errors import Problem
from gamekeeper.db.database import Database
from gamekeeper.history.undo import execute
from gamekeeper.history.undo.execute import Undoing
from gamekeeper.players import characters
from gamekeeper.players.characters import Deletion
from gamekeeper.servers import presence
from gamekeeper.servers.leases import LeaseHolder
from gamekeeper.servers.presence import PresenceChange
from tests.campaigns.crowds import SEGMENT, Crowd
from tests.make import BY, make_server

TOMORROW = timedelta(days=1)


class Arrivals:
    def __init__(self, crowd: Crowd, servers: list[UUID]) -> None:
        self.crowd, self.database, self.servers = crowd, crowd.database, servers

    @classmethod
    async def make(cls, database: Database, size: int = 5) -> "Arrivals":
        servers = [await make_server(database) for _ in range(2)]
        return cls(await Crowd.make(database, size), servers)

    @property
    def players(self) -> list[UUID]:
        return self.crowd.players

    async def create(self, work: CampaignWork | None = None, **about: Any) -> Campaign:
        order = NewCampaign(
            by=BY,
            name="Welcome back",
            **{
                "on_join": True,
                "segment": SEGMENT,
                "work": work or self.crowd.letter(),
                "per_second": 2_000,
                "ends_at": datetime.now(UTC) + TOMORROW,
            }
            | about,
        )
        return await changes.create.one(self.database, order)

    async def running(self, work: CampaignWork | None = None, **about: Any) -> Campaign:
        return await self.crowd.start((await self.create(work, **about)).id)

    def change(self, *players: object, server: int = 0) -> PresenceChange:
        holder = LeaseHolder(self.servers[server], 0)
        return PresenceChange(by=BY, holder=holder, players=[str(player) for player in players])

    async def join(self, *players: object, server: int = 0) -> list[UUID]:
        """Who has joined."""
        found = await joins.join.one(self.database, self.change(*players, server=server))
        return [each.player_id for each in found.values]

    async def leave(self, *players: object, server: int = 0) -> None:
        await presence.leave.one(self.database, self.change(*players, server=server))

    async def sweep(self, campaign: UUID) -> Campaign:
        """What the worker does each minute."""
        return await self.crowd.advanced(campaign)

    async def pause(self, campaign: UUID) -> Campaign:
        return await changes.pause.one(self.database, self.crowd.command(campaign))

    async def resume(self, campaign: UUID) -> Campaign:
        return await changes.resume.one(self.database, self.crowd.command(campaign))

    async def stop(self, campaign: UUID) -> Campaign:
        return await changes.stop.one(self.database, self.crowd.command(campaign))

    async def end(self, campaign: UUID) -> Campaign:
        """Let the end of a campaign come, and do what the worker does."""
        await self.run(
            "UPDATE campaigns SET ends_at = now() - interval '1 second' WHERE id = $1", campaign
        )
        for row in await self.database.reader.rows(runner.ENDING):
            await runner.end_on_time(self.database, row["id"])
        return await self.crowd.shown(campaign)

    async def delete(self, player: UUID) -> None:
        await characters.delete.one(self.database, Deletion(by=BY, player=str(player)))

    async def undo_last(self, player: UUID, kind: str) -> None:
        """Undo the last action of a kind on a character, if there is one."""
        action = await self.database.reader.value(
            "SELECT max(id::text)::uuid FROM actions WHERE player_id = $1 AND kind = $2",
            player,
            kind,
        )
        if action:
            [done] = await execute.undo(self.database, [Undoing(by=BY, action_id=action)])
            if isinstance(done, Problem):
                raise done

    async def run(self, sql: Any, *values: Any) -> None:
        await self.database.write(lambda writer: writer.run(sql, *values))

    async def sent(self, campaign: UUID) -> dict[UUID, int]:
        """How many letters of a campaign each character was ever sent, by the audit log."""
        rows = await self.database.reader.rows(
            """
            SELECT player_id, count(*)::int AS letters FROM actions
             WHERE kind = 'mail.send' AND request_id = $1 GROUP BY 1
            """,
            str(campaign),
        )
        return {row["player_id"]: row["letters"] for row in rows}

    async def check(self, campaign: UUID) -> None:
        """Nobody has two letters of a campaign; its counts and marks are those of the letters."""
        sent = await self.sent(campaign)
        assert set(sent.values()) <= {1}, sent
        marks = {each.player_id: each.state for each in await self.crowd.recipients(campaign)}
        served = {player for player, state in marks.items() if state != "refused"}
        assert served == sent.keys()
        shown = await self.crowd.shown(campaign)
        assert (shown.recipients, shown.done) == (len(marks), len(served))
        assert shown.refused == len(marks) - len(served)
        room = await self.database.reader.value(
            "SELECT coalesce(sum(room), 0) FROM campaign_counts WHERE campaign_id = $1", campaign
        )
        if shown.started_at:
            assert room == (shown.max_recipients or 0) - shown.done
