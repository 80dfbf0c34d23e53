import { plural } from '../shared/plural.ts'

export const project = {
  open: 'Offen für Aufnahmen',
  closed: 'Geschlossen',
  closedHelp: 'Wer den Link öffnet, sieht, dass das Projekt geschlossen ist.',
  openIt: 'Projekt öffnen',
  closeIt: 'Projekt schließen',
  share: 'Teilen',
  link: 'Aufnahmelink',
  linkHelp: 'Verschicken Sie ihn oder zeigen Sie den Code im Raum.',
  short: 'Kurzlink zum Vorlesen oder Anschreiben',
  kiosk: 'Link für ein gemeinsames Tablet',
  kioskHelp: 'Nach jeder Aufnahme ist die Seite bereit für die nächste Person.',
  openLink: 'Aufnahmeseite öffnen',
  qr: 'QR-Code des Aufnahmelinks',
  downloadSvg: 'SVG herunterladen',
  downloadPng: 'PNG herunterladen',
  printSheet: 'Aushang',
  latest: 'Neueste Gespräche',
  all: 'Alle Gespräche',
  figures: {
    title: 'Aktivität',
    conversations: 'Gespräche',
    hours: 'Aufgenommen',
    participants: 'Personen',
    participantsHelp: 'Verschiedene Namen; jedes Gespräch ohne Namen zählt als eine Person.',
    today: 'Heute beendet',
    recording: (count: number) => plural(count, 'Aufnahme läuft', 'Aufnahmen laufen'),
    processing: (count: number) => `${count.toLocaleString('de')} in Bearbeitung`,
    failed: (count: number) => `${count.toLocaleString('de')} fehlgeschlagen`,
    perDay: 'Gespräche pro Tag',
    day: (date: string, count: number, length: string) =>
      `${date}: ${plural(count, 'Gespräch', 'Gespräche')}, ${length}`,
    chart: (count: number, days: number) =>
      `${plural(count, 'Gespräch', 'Gespräche')} in den letzten ${days} Tagen`,
    upTo: (count: number) => `bis ${count.toLocaleString('de')} pro Tag`,
    now: 'heute',
    none: 'Nichts in den letzten 30 Tagen. Teilen Sie den Link, dann füllen sich hier die Tage.',
  },
}

export const poster = {
  title: 'Aushang',
  help: 'Eine Seite für Wand oder Tisch. Schreiben Sie die Zeilen in der Sprache Ihrer Gäste; sie werden nicht gespeichert.',
  first: 'Erste Zeile',
  second: 'Zweite Zeile',
  firstLine: 'Scannen Sie den Code mit der Kamera Ihres Handys oder geben Sie die Adresse ein.',
  secondLine: 'Sprechen Sie, so lange Sie möchten. Ohne App und ohne Konto.',
  print: 'Drucken',
}
