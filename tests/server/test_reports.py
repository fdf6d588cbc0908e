"""Reports, their evidence, and decisions about them."""

from __future__ import annotations

import pytest
from tests.server.inside import Inside, call
from tests.server.test_chat import write

pytestmark = pytest.mark.anyio


async def test_p15_7_a_report_keeps_its_evidence_and_is_decided_once(any_server: Inside) -> None:
    server = any_server
    ada, eve = await server.member("Ada"), await server.member("Eve")
    mod = await server.member("Mod", "moderator")
    match = await server.match_of([ada, eve])
    await write(server, ada, match, "hello")
    await write(server, eve, match, "you bitch")
    body = {"match": match, "seat": 1, "reason": "insults", "note": " twice "}
    made = await call(server, ada, "POST", "/reports", body)
    assert made["status"] == 201
    await call(server, ada, "POST", "/reports", body | {"seat": 0}, 400)
    await call(server, ada, "POST", "/reports", body | {"reason": "x"}, 422)

    (found,) = (await call(server, mod, "GET", "/moderation/reports"))["reports"]
    shown = [found[key] for key in ("by", "about", "reason", "note", "match", "decision")]
    assert shown == ["Ada", "Eve", "insults", "twice", match, ""]
    assert found["entries"] >= 4
    messages = [(each["name"], each["text"], each["is_theirs"]) for each in found["messages"]]
    assert messages == [("Ada", "hello", False), ("Eve", "you bitch", True)]

    path = f"/moderation/reports/{made['report']}"
    decision = {"act": "mute", "reason": "insults", "days": 2}
    await call(server, eve, "POST", path, decision, 403)
    decided = await call(server, mod, "POST", path, decision)
    assert (decided["name"], decided["muted_until"] is not None) == ("Eve", True)
    await call(server, mod, "POST", path, decision, 409)
    assert (await call(server, mod, "GET", "/moderation/reports"))["reports"] == []
    (about,) = (await call(server, mod, "GET", "/moderation/reports?about=Eve"))["reports"]
    assert about["decision"] == "mute"
    assert (await write(server, eve, match, "hm"))["code"] == "muted"

    # A guest without a name, by their seat; dismissed.
    (alone, other) = (await server.seated("kuhn_poker", 2))[1]
    (mine,) = (await call(server, alone, "GET", "/me/matches"))["matches"]
    again = {"match": mine["match"], "seat": 1, "reason": "stalling"}
    made = await call(server, alone, "POST", "/reports", again)
    path = f"/moderation/reports/{made['report']}"
    await call(server, mod, "POST", path, {"act": "dismiss"}, 200)
    assert (await call(server, other, "GET", "/me/notices"))["notices"] == []
    log = (await call(server, mod, "GET", "/moderation/log"))["acts"]
    assert [(each["by"], each["act"]) for each in log[:2]] == [("Mod", "dismiss"), ("Mod", "mute")]

    for _ in range(4):
        await call(server, ada, "POST", "/reports", {"name": "Eve", "reason": "spam"})
    await call(server, ada, "POST", "/reports", body, 429)
