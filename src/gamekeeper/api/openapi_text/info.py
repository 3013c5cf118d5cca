"""Words and examples for the OpenAPI document: what only clients of the ancestor look for."""

from gamekeeper.api.oauth import EndedSignIn, EndedSignIns
from gamekeeper.api.openapi_text.examples import SIGN_IN
from gamekeeper.api.v1.info import (
    STATS,
    VERSIONS,
    ApiInfo,
    Authorized,
    GameConfig,
    GameInfo,
    GameStats,
    PlayerLimits,
)
from gamekeeper.http.openapi import Example

INFO_EXAMPLES = {
    "end_sign_ins": Example(answer=EndedSignIns(username="ana")),
    "end_sign_in": Example(answer=EndedSignIn(username="ana", token_id=str(SIGN_IN))),
    "get_api_info": Example(answer=ApiInfo(versions=VERSIONS)),
    "list_api_versions": Example(answer=VERSIONS),
    "list_stat_names": Example(answer=STATS),
    "get_game_metrics": Example(answer={}),
    "get_info": Example(answer=GameInfo(name="Larkspur", port=443)),
    "get_authorized": Example(answer=Authorized(authorized=True)),
    "get_stats": Example(
        answer=GameStats(uptime=86_400_000, cps=0, connected_clients=212, online_count=212)
    ),
    "get_config": Example(
        answer=GameConfig(
            game_name="Larkspur",
            server_port=443,
            player=PlayerLimits(
                max_characters=3,
                max_inventory=35,
                max_bank=100,
                initial_bankslots=100,
                max_level=100,
                max_spells=35,
                max_stat=2**31 - 1,
            ),
        )
    ),
}
