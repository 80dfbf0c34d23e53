import { plural } from './plural.ts'

export const conversations = {
  title: 'Gespräche',
  search: 'In Namen, Titeln und Transkripten suchen',
  status: 'Status',
  source: 'Quelle',
  tag: 'Schlagwort',
  anyStatus: 'Jeder Status',
  anySource: 'Jede Quelle',
  clear: 'Filter aufheben',
  none: 'Noch keine Gespräche',
  noneHelp: 'Öffnen Sie den Aufnahmelink auf einem Handy und sagen Sie ein paar Worte.',
  noMatch: 'Kein passendes Gespräch',
  noMatchHelp: 'Versuchen Sie es mit weniger Filtern oder einem anderen Wort.',
  statuses: {
    recording: 'Aufnahme läuft',
    transcribing: 'Transkription',
    summarizing: 'Zusammenfassung',
    done: 'Fertig',
    failed: 'Fehlgeschlagen',
  },
  sources: { portal_audio: 'Aufgenommen', portal_text: 'Geschrieben', upload: 'Hochgeladen' },
  columns: { conversation: 'Gespräch', status: 'Status', length: 'Länge', started: 'Beginn' },
  anonymous: 'Anonym',
  loaded: (count: number) => plural(count, 'Gespräch', 'Gespräche'),
}
