import { plural } from './plural.ts'

const conversations = (count: number) => plural(count, 'Gespräch', 'Gespräche')
/** In the dative, after a preposition. */
const dayCount = (count: number) => plural(count, 'Tag', 'Tagen')

export const projectSettings = {
  title: 'Einstellungen',
  /** Names of fields, as in lists of changes. */
  fields: {
    name: 'Name',
    title: 'Überschrift',
    description: 'Einleitung',
    finish_text: 'Dank',
    privacy_url: 'Datenschutzerklärung',
    accent_color: 'Farbe',
    logo: 'Logo',
    ask_name: 'Nach dem Namen fragen',
    ask_email: 'Nach der E-Mail-Adresse fragen',
    tags: 'Schlagwörter',
    language: 'Sprache',
    languages: 'Weitere Sprachen',
    hotwords: 'Namen und Begriffe',
    consent_text: 'Einwilligungstext',
    retention_days: 'Aufbewahrungsfrist',
    is_open: 'Offen oder geschlossen',
  },
  sections: {
    texts: 'Texte',
    look: 'Aussehen',
    questions: 'Fragen',
    languages: 'Sprachen',
    consent: 'Einwilligung',
    retention: 'Aufbewahrungsfrist',
  },
  help: {
    name: 'Steht im Dashboard und in Payloads. Ohne Überschrift sehen ihn auch die Teilnehmenden.',
    title: 'Die große Zeile auf der Aufnahmeseite',
    description: 'Was Sie fragen, und warum. Eine leere Zeile beginnt einen neuen Absatz.',
    finish_text: 'Erscheint, wenn die Aufnahme angekommen ist',
    privacy_url: 'Eine https-Adresse',
    accent_color: 'Für Schaltflächen und Links auf der Aufnahmeseite',
    tags: 'Daraus wählen die Teilnehmenden, zum Beispiel Orte oder Rollen. Drücken Sie nach jedem Schlagwort Enter.',
    language: 'Was wahrscheinlich gesprochen wird. Das macht die Transkripte besser.',
    languages: 'Auch diese können die Teilnehmenden wählen.',
    hotwords:
      'Wie Personen, Straßen und Projekte geschrieben werden. Das hilft bei der Transkription. Drücken Sie nach jedem Wort Enter.',
    consent_text:
      'Vor der Aufnahme setzen die Teilnehmenden darunter ein Häkchen. Leer: Es wird keine Einwilligung verlangt.',
  },
  nameNeeded: 'Ein Projekt braucht einen Namen.',
  detect: 'In jedem Gespräch erkennen',
  optional: 'Die Antwort ist immer freiwillig.',
  color: {
    pick: 'Farbe wählen',
    clear: 'Standardfarbe',
    invalid: 'Sechs Ziffern oder Buchstaben von a bis f nach #, zum Beispiel #0b57d0',
    contrast: (ratio: string) => `Kontrast zu Weiß ${ratio} : 1`,
    fine: 'Auf der Seite gut zu sehen.',
    pale: 'Zu blass: Schaltflächen wären schlecht zu sehen. Nötig ist mindestens 3 : 1; wählen Sie eine dunklere Farbe.',
  },
  logo: {
    none: 'Ohne Logo zeigt die Seite den Namen der Organisation.',
    help: 'PNG oder JPEG, höchstens 1 MB. Wird sofort gespeichert.',
    choose: 'Bild wählen',
    replace: 'Ersetzen',
    remove: 'Entfernen',
    alt: 'Logo der Aufnahmeseite',
  },
  consent: {
    history: 'Verlauf',
    historyHelp:
      'Alle Teilnehmenden haben dem Text ihres Tages zugestimmt. Alte Texte bleiben erhalten, solange es das Projekt gibt.',
    none: 'Es gab noch keinen Einwilligungstext.',
    current: 'In Gebrauch',
    agreed: (count: number) =>
      count === 0 ? 'Noch keine Zustimmung' : plural(count, 'Zustimmung', 'Zustimmungen'),
    from: (time: string) => `Ab ${time}`,
    useAgain: 'Wieder verwenden',
    show: 'Ganzen Text zeigen',
    hide: 'Weniger zeigen',
  },
  retention: {
    isOn: 'Gespräche automatisch löschen',
    days: 'Tage nach dem Ende eines Gesprächs',
    off: 'Gespräche bleiben, bis jemand sie löscht.',
    what: 'Gelöscht werden Aufnahme, Transkript, Zusammenfassung und die Zitate in Berichten.',
    today: (date: string) => `Ein Gespräch, das heute endet, wird am ${date} gelöscht.`,
    next: (date: string) => `Das älteste vorhandene Gespräch wird am ${date} gelöscht.`,
    expired: (count: number, days: number) =>
      `${plural(count, 'Gespräch endete', 'Gespräche endeten')} vor mehr als ${dayCount(days)} und ${count === 1 ? 'wird' : 'werden'} kurz nach dem Speichern gelöscht.`,
    confirmTitle: (count: number) => `${conversations(count)} löschen?`,
    confirmText: (count: number, days: number) =>
      `Bei einer Aufbewahrungsfrist von ${dayCount(days)} ${count === 1 ? 'wird' : 'werden'} in den nächsten Minuten ${conversations(count)} gelöscht. Das lässt sich nicht rückgängig machen.`,
    confirm: 'Speichern und löschen',
  },
  unsaved: (count: number) => plural(count, 'Änderung nicht gespeichert', 'Änderungen nicht gespeichert'),
  restored: 'Diese Änderungen stammen von Ihrem letzten Besuch. Sie sind noch nicht gespeichert.',
  discard: 'Verwerfen',
  saved: 'Gespeichert',
  savedBeside: (who: string, fields: string) =>
    `Gespeichert. Inzwischen hat ${who} Folgendes geändert: ${fields}. Das bleibt so.`,
  someone: 'jemand anderes',
  staff: 'das Service-Team',
  conflict: {
    title: 'Jemand anderes hat dieselben Einstellungen geändert',
    help: 'Nichts wird überschrieben. Wählen Sie, was bleiben soll, und speichern Sie dann.',
    by: (who: string, time: string) => `Zuletzt geändert: ${who}, ${time}`,
    theirs: 'Andere Änderung',
    mine: 'Ihre Änderung',
    empty: 'leer',
    yes: 'Ja',
    no: 'Nein',
    save: 'Auswahl speichern',
  },
  leave: {
    title: 'Seite verlassen, ohne zu speichern?',
    text: (fields: string) => `Noch nicht gespeichert: ${fields}.`,
    stay: 'Bleiben',
    discard: 'Verwerfen und verlassen',
  },
  preview: {
    title: 'Vorschau',
    help: 'So sehen es die Teilnehmenden, mit Ihren Änderungen. Hier wird nichts aufgenommen.',
    show: 'Anzeigen',
    hide: 'Ausblenden',
    steps: {
      welcome: 'Start',
      consent: 'Einwilligung',
      about: 'Fragen',
      thanks: 'Dank',
      closed: 'Geschlossen',
    },
  },
  changedBy: (time: string, who: string, fields: string) => `Letzte Änderung ${time} · ${who}: ${fields}`,
  readOnly:
    'Mit Ihrer Rolle können Sie diese Einstellungen nur lesen. Bitten Sie ein Mitglied des Arbeitsbereichs, sie zu ändern.',
  remove: 'Dieses Projekt löschen',
  removeHelp: 'Das wird gelöscht und lässt sich nicht wiederherstellen:',
  erased: (counts: { conversations: number; reports: number; webhooks: number; hours: string }) => [
    `${conversations(counts.conversations)} mit ${counts.hours} Aufnahmen, Transkripten und Zusammenfassungen`,
    `${plural(counts.reports, 'Bericht', 'Berichte')}, auch die veröffentlichte Seite`,
    `${plural(counts.webhooks, 'Webhook', 'Webhooks')} mit den Inhalten ihrer Zustellungen`,
    'die Aufnahmeseite mit ihrem Logo; der gedruckte Link und der QR-Code funktionieren nie wieder',
    'die Einwilligungstexte und ihr Verlauf',
  ],
  kept: 'Im Audit-Protokoll der Organisation bleibt vermerkt, dass Sie es gelöscht haben.',
}
