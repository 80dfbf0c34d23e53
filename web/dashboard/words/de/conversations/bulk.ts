import { plural } from '../shared/plural.ts'

const them = (count: number): string => plural(count, 'Gespräch', 'Gespräche')
/** In the dative, after a preposition. */
const toThem = (count: number): string => plural(count, 'Gespräch', 'Gesprächen')

export const bulk = {
  bar: 'Aktionen für die ausgewählten Gespräche',
  selected: (count: number) => plural(count, 'ausgewählt', 'ausgewählt'),
  select: (title: string) => `${title} auswählen`,
  selectAll: 'Alle geladenen auswählen',
  clear: 'Auswahl aufheben',
  tag: 'Schlagwort hinzufügen',
  tagLabel: 'Schlagwort',
  tagHelp: 'Gespräche, die es schon haben, bleiben unverändert.',
  tagConfirm: 'Hinzufügen',
  tagTitle: (count: number) => `Schlagwort zu ${toThem(count)} hinzufügen`,
  retranscribe: 'Erneut transkribieren',
  download: 'Transkripte herunterladen',
  remove: 'Löschen',
  removeTitle: (count: number) => `${them(count)} löschen?`,
  removeHelp:
    'Ton, Transkripte, Zusammenfassungen und die Zitate in allen Berichten werden gelöscht. Das lässt sich nicht rückgängig machen.',
  removeConfirm: (count: number) => `${them(count)} endgültig löschen`,
  running: (done: number, total: number) =>
    `${done.toLocaleString('de')} von ${total.toLocaleString('de')}\u00a0…`,
  outcomes: {
    tag: (count: number) => `Das Schlagwort wurde zu ${toThem(count)} hinzugefügt.`,
    retranscribe: (count: number) =>
      `${plural(count, 'Gespräch wird', 'Gespräche werden')} erneut transkribiert.`,
    download: (count: number) => `${plural(count, 'Transkript', 'Transkripte')} heruntergeladen.`,
    remove: (count: number) => `${plural(count, 'Gespräch wurde', 'Gespräche wurden')} gelöscht.`,
  },
  failed: (count: number) => `Bei ${toThem(count)} hat es nicht geklappt. Weiterhin ausgewählt:`,
  more: (count: number) => `und ${count.toLocaleString('de')} weitere`,
  fileName: 'transkripte',
}
