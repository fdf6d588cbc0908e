"""What the server says to people who aren't on the page: in push messages and in mail."""

from __future__ import annotations

from typing import Literal

Language = Literal["en", "de", "fr", "pl"]

TEXTS: dict[str, dict[str, str]] = {
    "en": {
        "confirm": "Confirm your mail address",
        "confirm.text": (
            "Hello {name},\n\n"
            "to confirm this address for your account, open this link:\n\n"
            "{link}\n\n"
            "It works for a day. If you didn't ask for it, ignore this mail.\n"
        ),
        "reset": "Set a new password",
        "reset.text": (
            "Hello {name},\n\n"
            "to set a new password, open this link:\n\n"
            "{link}\n\n"
            "It works once, for an hour. If you didn't ask for it, ignore this mail.\n"
        ),
        "turn": "Your turn",
        "turn.body": "{game} with {names}",
        "start": "Your game has started",
        "start.body": "{game} with {names}",
        "challenge": "{names} challenges you",
        "challenge.body": "{game}",
        "follow": "{names} follows you now",
        "follow.body": "",
        "digest": "Your turn in {count} games",
        "digest.one": "Your turn in one game",
        "digest.hello": "These games are waiting for you:",
        "digest.stop": "No more of these mails, with one click:",
    },
    "de": {
        "confirm": "Bestätige deine E-Mail-Adresse",
        "confirm.text": (
            "Hallo {name},\n\n"
            "öffne diesen Link, um diese Adresse für dein Konto zu bestätigen:\n\n"
            "{link}\n\n"
            "Er gilt einen Tag. Wenn du ihn nicht angefordert hast, ignoriere diese Mail.\n"
        ),
        "reset": "Neues Passwort setzen",
        "reset.text": (
            "Hallo {name},\n\n"
            "öffne diesen Link, um ein neues Passwort zu setzen:\n\n"
            "{link}\n\n"
            "Er gilt einmal und eine Stunde lang. "
            "Wenn du ihn nicht angefordert hast, ignoriere diese Mail.\n"
        ),
        "turn": "Du bist dran",
        "turn.body": "{game} mit {names}",
        "start": "Deine Partie hat begonnen",
        "start.body": "{game} mit {names}",
        "challenge": "{names} fordert dich heraus",
        "challenge.body": "{game}",
        "follow": "{names} folgt dir jetzt",
        "follow.body": "",
        "digest": "Du bist in {count} Partien dran",
        "digest.one": "Du bist in einer Partie dran",
        "digest.hello": "Diese Partien warten auf dich:",
        "digest.stop": "Keine solchen Mails mehr, mit einem Klick:",
    },
    "fr": {
        "confirm": "Confirmez votre adresse e-mail",
        "confirm.text": (
            "Bonjour {name},\n\n"
            "pour confirmer cette adresse, ouvrez ce lien :\n\n"
            "{link}\n\n"
            "Il est valable un jour. Si vous ne l'avez pas demandé, ignorez ce message.\n"
        ),
        "reset": "Choisir un nouveau mot de passe",
        "reset.text": (
            "Bonjour {name},\n\n"
            "pour choisir un nouveau mot de passe, ouvrez ce lien :\n\n"
            "{link}\n\n"
            "Il fonctionne une seule fois, pendant une heure. "
            "Si vous ne l'avez pas demandé, ignorez ce message.\n"
        ),
        "turn": "À vous de jouer",
        "turn.body": "{game} avec {names}",
        "start": "Votre partie a commencé",
        "start.body": "{game} avec {names}",
        "challenge": "{names} vous défie",
        "challenge.body": "{game}",
        "follow": "{names} vous suit maintenant",
        "follow.body": "",
        "digest": "À vous de jouer dans {count} parties",
        "digest.one": "À vous de jouer dans une partie",
        "digest.hello": "Ces parties vous attendent :",
        "digest.stop": "Ne plus recevoir ces messages, en un clic :",
    },
    "pl": {
        "confirm": "Potwierdź adres e-mail",
        "confirm.text": (
            "Cześć {name},\n\n"
            "aby potwierdzić ten adres, otwórz link:\n\n"
            "{link}\n\n"
            "Działa przez jeden dzień. Jeśli to nie ty o niego prosisz, zignoruj tę wiadomość.\n"
        ),
        "reset": "Ustaw nowe hasło",
        "reset.text": (
            "Cześć {name},\n\n"
            "aby ustawić nowe hasło, otwórz link:\n\n"
            "{link}\n\n"
            "Działa raz, przez godzinę. Jeśli to nie ty o niego prosisz, zignoruj tę wiadomość.\n"
        ),
        "turn": "Twój ruch",
        "turn.body": "{game}: {names}",
        "start": "Twoja partia się zaczęła",
        "start.body": "{game}: {names}",
        "challenge": "{names} rzuca ci wyzwanie",
        "challenge.body": "{game}",
        "follow": "{names} obserwuje cię od teraz",
        "follow.body": "",
        "digest": "Twój ruch: {count} partii",
        "digest.few": "Twój ruch: {count} partie",
        "digest.one": "Twój ruch: jedna partia",
        "digest.hello": "Te partie czekają na ciebie:",
        "digest.stop": "Wypisz się jednym kliknięciem:",
    },
}


def say(language: str, key: str, **values: str | int) -> str:
    """A text in a language."""
    return TEXTS[language][key].format(**values)


def say_count(language: str, key: str, count: int) -> str:
    """A text with a number, in the plural of the language."""
    words = TEXTS[language]
    is_few = count % 10 in (2, 3, 4) and count % 100 not in (12, 13, 14)
    form = ".one" if count == 1 else ".few" if is_few and f"{key}.few" in words else ""
    return words[key + form].format(count=count)
