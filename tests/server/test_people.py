"""Guests, names and bot accounts."""

# ruff: noqa: RUF001 - Letters that look alike are what this is about.

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from tests.server.inside import PASSWORD, Clock, Inside, call

from watermeet.server.errors import BadName, NameTaken, Unauthorized
from watermeet.server.names import clean_name
from watermeet.server.people.users import NAME_KEPT_MS, People
from watermeet.server.store.store import Store

pytestmark = pytest.mark.anyio


@pytest.fixture
def people(file_store: Store) -> People:
    return People(file_store, lambda: 5)


async def test_a_guest_is_identified_by_the_token(people: People) -> None:
    account = await people.add_guest()
    assert await people.user_of(account.token) == account.user
    assert (account.user.kind, account.user.name) == ("guest", None)


async def test_invalid_tokens_are_refused(people: People) -> None:
    await people.add_guest()
    for token in ("", "x", "A" * 43, "A" * 10_000, "é" * 43):
        with pytest.raises(Unauthorized):
            await people.user_of(token)


async def test_names_are_stored_and_unique(people: People) -> None:
    ada, bob = await people.add_guest(), await people.add_guest()
    named = await people.take_name(ada.user, "  Ada   Lovelace ")
    assert named.name == "Ada Lovelace"
    assert (await people.user_of(ada.token)).name == "Ada Lovelace"
    with pytest.raises(NameTaken):
        await people.take_name(bob.user, "ada lovelace")
    assert (await people.user_of(bob.token)).name is None


@pytest.mark.parametrize(
    ("taken", "name"),
    [
        ("Ada Lovelace", "Аda Lovelace"),
        ("Ada Lovelace", "Ada Love1ace"),
        ("Ada Lovelace", "ADA LOVELACE"),
        ("Ada Lovelace", "ΑDA LΟVELACE"),
        ("Arnold", "Arnold."),
        ("Coco", "Сосо"),  # All Cyrillic.
    ],
)
async def test_p13_2_nobody_takes_a_name_that_looks_like_anothers(
    people: People, taken: str, name: str
) -> None:
    ada, bob = await people.add_guest(), await people.add_guest()
    await people.take_name(ada.user, taken)
    with pytest.raises((NameTaken, BadName)):
        await people.take_name(bob.user, name)
    with pytest.raises((NameTaken, BadName)):
        await people.add_bot(name)
    assert (await people.take_name(ada.user, taken.upper())).name == taken.upper()
    bot = await people.add_bot("Deep Stream")
    assert (await people.user_of(bot.token)).kind == "bot"


RESERVED = (
    "Admin", "ᴀᴅᴍɪɴ", "аdmin", "ADM1N", "The Admin", "Ad Min", "Water.Meet", "brook", "Guest",
    "Sеа", "Admins", "WatermeetTeam", "TeamWatermeet", "Moderator Bob", "ModBob", "MODBob", "mod1",
    "Super-Administrators", "xAdminx", "0fficial",
)  # fmt: skip
MIXED = (
    *("Adа", "Ωmega", "Иvan", "李аlei"),
    *("Carla一Smith", "CarlaーSmith", "Bㅇb", "Aㅣice", "A丨ice", "Jo口n", "Bob々"),
)
INVALID = (
    "", " ", "a" * 25, "<b>", "_x", "x_", "a\u202eb", "a\nb\x00", "-a", "\u3164",
    *(f"Ada{filler}" for filler in "\u115f\u1160\u3164\uffa0\u17b4\u034f"),
    "\u1160Ada", "\uac00\u115f\u1160", "\u0301Ada", "Ada \u0301", "A\u0301\u0301da", "Ad\u0336a",
    "Ad\u20dda", "Zo" + "\u0300\u0301\u0302\u0303\u0304", "\u0915\u093f" * 24,
)  # fmt: skip
REAL = (
    "a", "Badminton Bob", "Staffan", "Modesty", "Commodore",
    "Zoë", "Łukasz", "O'Neil", "J. R. R.", "李雷", "7 of 9", "Иван", "Yukiゆき雪", "Brooke",
    "Yuki 一郎", "Sasaki佐々木", "ローラ", "Kaʻiulani", "Марʼяна",
    "अमित शर्मा", "प्रिया", "बिष्णु", "สมชาย", "ธีรพงษ์ ศรีสุวรรณ", "கார்த்திக்", "மீனா",
    "রবীন্দ্রনাথ", "శ్రీనివాస్", "ಪ್ರಕಾಶ್", "അനൂപ്", "મીરા", "ਗੁਰਪ੍ਰੀਤ", "නිමල්", "សុខា", "အောင်", "ບຸນມີ",
    "דָּוִד", "مُحَمَّد", "Ọ̀ṣun", "Nguyễn Thị",
)  # fmt: skip


def test_real_names_are_accepted_and_others_are_not() -> None:
    for names, words in ((RESERVED, None), (MIXED, "alphabets"), (INVALID, None)):
        for name in names:
            with pytest.raises(BadName, match=words):
                clean_name(name)
    assert [clean_name(name) for name in REAL] == list(REAL)


async def test_p13_2_a_former_name_is_kept_for_its_owner(clock: Clock, any_server: Inside) -> None:
    server = any_server
    ada = await server.guest("Carla")

    async def named(name: str, token: str = "") -> int:
        token = token or await server.guest()
        return int((await call(server, token, "PUT", "/me/name", {"name": name}))["status"])

    assert await named("Augusta", ada) == 200
    assert [await named(each) for each in ("Carla", "C.arla", "CARLA")] == [409] * 3
    assert [await named(each, ada) for each in ("Carla", "Augusta")] == [200, 200]
    body = {"name": "Countess", "password": PASSWORD}
    await call(server, ada, "POST", "/me/account", body, 201)
    assert [await named(each) for each in ("Carla", "Augusta")] == [409, 409]
    clock.now += NAME_KEPT_MS
    assert await named("Carla") == 200
    await server.services.store.delete_expired(clock.now)
    await call(server, ada, "POST", "/me/deletion", {"password": PASSWORD}, 200)
    assert [await named(each) for each in ("Countess", "Augusta")] == [409, 200]


async def test_names_that_differ_in_punctuation_alone_are_taken(people: People) -> None:
    await people.add_bot("Carla Smith")
    plain = ("CarlaSmith", "Carla-Smith", "Carla.Smith", "carla smith.", "C. Arla's Mith")
    letters = ("Carla\u02bcSmith", "Carla\u02bbSmith", "Carla\ua78cSmith", "CarlaSmith\u02d1")
    for name in (*plain, *letters):
        with pytest.raises(NameTaken):
            await people.add_bot(name)


async def test_tokens_are_not_stored(people: People, file_store: Store, tmp_path: Path) -> None:
    account = await people.add_guest()
    copy = tmp_path / "copy.db"
    await file_store.backup(str(copy))
    with sqlite3.connect(copy) as database:
        text = "\n".join(database.iterdump())
    database.close()
    assert account.user.id in text, "the dump shows what is there"
    assert account.token not in text
    assert account.token not in copy.read_bytes().decode("latin-1")
