// The texts of slow play and of being called, in all languages; they come with what shows them.
import type { Code } from '../app/language.svelte';
import { language } from '../app/language.svelte';
import { format, type Values } from '../app/messageFormat';

const en = {
  mail: 'Mail',
  mailLead: 'Mail when games with days per turn wait for you',
  never: 'Never',
  hourly: 'At most once an hour',
  daily: 'At most once a day',
  unsubscribed: 'You won’t get any more of these mails.',
  push: 'Notifications on this device',
  pushLead: 'Even when no page is open.',
  turn: 'Your turn in games with days per turn',
  challenge: 'Somebody challenges you',
  start: 'A game of yours starts',
  unsupported: 'This browser can’t receive push messages here.',
  denied: 'Your browser blocks notifications from this page. Allow them in its settings.',
  vacation: 'Vacation',
  vacationLead: 'While you’re on vacation, your time stands still in games with days per turn.',
  beginTitle: 'Start your vacation now?',
  cancel: 'Cancel',
  begin: 'Start vacation',
  end: 'End vacation',
  until: 'You’re on vacation, until {date} at the latest.',
  days: '{days, plural, =0 {You have no vacation days left.} one {You have # day left this year.} other {You have # days left this year.}}',
  cost: 'Each vacation costs at least one day.',
  queue: 'Queue replies',
  queueLead:
    'Play your opponent’s move and your reply on this board, and go on like that if you want. If it comes true, the server plays your replies at once. Nobody else can see them.',
  queueTurn: 'It’s your turn. Play first, then queue replies.',
  save: 'Queue this line',
  back: 'Take back',
  queued: 'Queued replies',
  none: 'Nothing queued yet.',
  remove: 'Delete the line {line}',
};
type Key = keyof typeof en;

const fr: Record<Key, string> = {
  mail: 'E-mail',
  mailLead: 'E-mail quand des parties en jours par tour vous attendent',
  never: 'Jamais',
  hourly: 'Au plus une fois par heure',
  daily: 'Au plus une fois par jour',
  unsubscribed: 'Vous ne recevrez plus ces messages.',
  push: 'Notifications sur cet appareil',
  pushLead: 'Même quand aucune page n’est ouverte.',
  turn: 'À vous de jouer dans une partie en jours par tour',
  challenge: 'Quelqu’un vous défie',
  start: 'Une de vos parties commence',
  unsupported: 'Ce navigateur ne peut pas recevoir de notifications push ici.',
  denied:
    'Votre navigateur bloque les notifications de cette page. Autorisez-les dans ses réglages.',
  vacation: 'Vacances',
  vacationLead: 'Pendant vos vacances, votre temps est arrêté dans les parties en jours par tour.',
  beginTitle: 'Partir en vacances maintenant ?',
  cancel: 'Annuler',
  begin: 'Partir en vacances',
  end: 'Terminer les vacances',
  until: 'Vous êtes en vacances, jusqu’au {date} au plus tard.',
  days: '{days, plural, =0 {Il ne vous reste aucun jour de vacances.} one {Il vous reste # jour cette année.} other {Il vous reste # jours cette année.}}',
  cost: 'Chaque départ coûte au moins un jour.',
  queue: 'Programmer des réponses',
  queueLead:
    'Jouez sur ce plateau le coup adverse puis votre réponse, et continuez si vous voulez. Si cela se réalise, le serveur joue vos réponses aussitôt. Personne d’autre ne les voit.',
  queueTurn: 'C’est à vous. Jouez d’abord, puis programmez des réponses.',
  save: 'Programmer cette suite',
  back: 'Annuler le coup',
  queued: 'Réponses programmées',
  none: 'Rien de programmé pour l’instant.',
  remove: 'Supprimer la suite {line}',
};

const de: Record<Key, string> = {
  mail: 'Mail',
  mailLead: 'Mail, wenn Partien mit Tagen pro Zug auf dich warten',
  never: 'Nie',
  hourly: 'Höchstens stündlich',
  daily: 'Höchstens täglich',
  unsubscribed: 'Du bekommst keine solchen Mails mehr.',
  push: 'Mitteilungen auf diesem Gerät',
  pushLead: 'Auch wenn keine Seite offen ist.',
  turn: 'Du bist dran in Partien mit Tagen pro Zug',
  challenge: 'Jemand fordert dich heraus',
  start: 'Eine Partie von dir beginnt',
  unsupported: 'Dieser Browser kann hier keine Push-Mitteilungen empfangen.',
  denied: 'Dein Browser blockiert Mitteilungen dieser Seite. Erlaube sie in seinen Einstellungen.',
  vacation: 'Urlaub',
  vacationLead: 'Solange du im Urlaub bist, steht deine Zeit in Partien mit Tagen pro Zug still.',
  beginTitle: 'Urlaub jetzt beginnen?',
  cancel: 'Abbrechen',
  begin: 'Urlaub beginnen',
  end: 'Urlaub beenden',
  until: 'Du bist im Urlaub, längstens bis {date}.',
  days: '{days, plural, =0 {Du hast keine Urlaubstage mehr.} one {Du hast dieses Jahr noch # Tag.} other {Du hast dieses Jahr noch # Tage.}}',
  cost: 'Jeder Urlaub kostet mindestens einen Tag.',
  queue: 'Antworten vormerken',
  queueLead:
    'Spiel auf diesem Brett den Zug deines Gegenübers und deine Antwort, gern auch weiter. Kommt es so, zieht der Server sofort für dich. Niemand sonst sieht deine Antworten.',
  queueTurn: 'Du bist dran. Zieh zuerst, dann merk Antworten vor.',
  save: 'Diese Variante vormerken',
  back: 'Zurücknehmen',
  queued: 'Vorgemerkte Antworten',
  none: 'Noch nichts vorgemerkt.',
  remove: 'Variante {line} löschen',
};

const pl: Record<Key, string> = {
  mail: 'Poczta',
  mailLead: 'E-mail, gdy czekają na ciebie partie z dniami na ruch',
  never: 'Nigdy',
  hourly: 'Najwyżej co godzinę',
  daily: 'Najwyżej raz dziennie',
  unsubscribed: 'Nie będziesz już dostawać takich wiadomości.',
  push: 'Powiadomienia na tym urządzeniu',
  pushLead: 'Nawet gdy żadna strona nie jest otwarta.',
  turn: 'Twój ruch w partiach z dniami na ruch',
  challenge: 'Ktoś rzuca ci wyzwanie',
  start: 'Zaczyna się twoja partia',
  unsupported: 'Ta przeglądarka nie może tu odbierać powiadomień push.',
  denied: 'Przeglądarka blokuje powiadomienia z tej strony. Zezwól na nie w jej ustawieniach.',
  vacation: 'Urlop',
  vacationLead: 'W czasie urlopu twój czas stoi w partiach z dniami na ruch.',
  beginTitle: 'Zacząć urlop teraz?',
  cancel: 'Anuluj',
  begin: 'Zacznij urlop',
  end: 'Zakończ urlop',
  until: 'Jesteś na urlopie, najdłużej do {date}.',
  days: '{days, plural, =0 {Nie masz już dni urlopu.} one {W tym roku został ci # dzień.} few {W tym roku zostały ci # dni.} many {W tym roku zostało ci # dni.} other {W tym roku zostało ci # dnia.}}',
  cost: 'Każdy urlop kosztuje co najmniej jeden dzień.',
  queue: 'Zaplanuj odpowiedzi',
  queueLead:
    'Zagraj na tej planszy ruch przeciwnika i swoją odpowiedź, a jeśli chcesz, graj dalej. Jeśli tak się stanie, serwer od razu zagra za ciebie. Nikt inny tego nie widzi.',
  queueTurn: 'Twój ruch. Najpierw zagraj, potem zaplanuj odpowiedzi.',
  save: 'Zaplanuj ten wariant',
  back: 'Cofnij',
  queued: 'Zaplanowane odpowiedzi',
  none: 'Nic jeszcze nie zaplanowano.',
  remove: 'Usuń wariant {line}',
};

export const callTexts: Record<Code, Record<Key, string>> = { en, fr, de, pl };

/** A text about slow play and being called. */
export function callText(key: Key, values?: Values): string {
  return format(callTexts[language.code][key], values, language.code);
}
