"""Reports, their evidence, and decisions about them."""

from __future__ import annotations

import pytest
from tests.server.inside import Inside, call
from tests.server.test_chat import write

from watermeet.server.api import routes_reports
from watermeet.server.people import reports

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

    await call(server, ada, "POST", "/reports", body, 201)
    for _ in range(3):
        refused = await call(server, ada, "POST", "/reports", {"name": "Eve", "reason": "spam"})
        assert refused["code"] == "already_reported"
    await call(server, ada, "POST", "/reports", body, 429)


async def test_guests_cannot_bury_a_report(
    any_server: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = any_server
    monkeypatch.setattr(routes_reports, "LISTED", 8)
    ada, mod = await server.member("Ada"), await server.member("Mod", "moderator")
    await server.member("Eve")
    await call(server, ada, "POST", "/reports", {"name": "Eve", "reason": "spam"}, 201)
    sent = [
        (await call(server, await server.guest(), "POST", "/reports", body))["status"]
        for body in [{"name": "Mod", "reason": "spam"}] * reports.PER_ADDRESS_AT_ONCE
    ]
    assert sent == [201] * (reports.PER_ADDRESS_AT_ONCE - 1) + [429], "so much from one address"
    for about in ("", "&about=Mod"):
        found, before = [], ""
        while True:
            page = await call(server, mod, "GET", f"/moderation/reports?{before}{about}")
            found += page["reports"]
            if page["next"] is None:
                break
            before = f"before={page['next']}"
        times = [each["at"] for each in found if each["by"] == "Guest"]
        assert times == sorted(times, reverse=True)
        assert len({each["report"] for each in found}) == len(found)
        assert len(times) == reports.PER_ADDRESS_AT_ONCE - 1
        assert [each["by"] for each in found if each["by"] != "Guest"] == [] if about else ["Ada"]
        assert about or found[0]["by"] == "Ada", "though it is the oldest"
