import { plural } from '../shared/plural.ts'

const them = (count: number): string => plural(count, 'gesprek', 'gesprekken')

export const bulk = {
  bar: 'Acties voor de geselecteerde gesprekken',
  selected: (count: number) => plural(count, 'geselecteerd', 'geselecteerd'),
  select: (title: string) => `${title} selecteren`,
  selectAll: 'Alles selecteren wat geladen is',
  clear: 'Selectie wissen',
  tag: 'Tag toevoegen',
  tagLabel: 'Tag',
  tagHelp: 'Gesprekken die deze tag al hebben, blijven zoals ze zijn.',
  tagConfirm: 'Toevoegen',
  tagTitle: (count: number) => `Tag toevoegen aan ${them(count)}`,
  retranscribe: 'Opnieuw transcriberen',
  download: 'Transcripten downloaden',
  remove: 'Verwijderen',
  removeTitle: (count: number) => `${them(count)} verwijderen?`,
  removeHelp:
    'Het geluid, de transcripten, de samenvattingen en de citaten in alle rapporten worden gewist. Je kunt dit niet terugdraaien.',
  removeConfirm: (count: number) => `${them(count)} definitief wissen`,
  running: (done: number, total: number) => `${done.toLocaleString('nl')} van ${total.toLocaleString('nl')}…`,
  outcomes: {
    tag: (count: number) => `De tag is toegevoegd aan ${them(count)}.`,
    retranscribe: (count: number) =>
      `${plural(count, 'gesprek wordt', 'gesprekken worden')} opnieuw getranscribeerd.`,
    download: (count: number) => `${plural(count, 'transcript', 'transcripten')} gedownload.`,
    remove: (count: number) => `${plural(count, 'gesprek is', 'gesprekken zijn')} verwijderd.`,
  },
  failed: (count: number) => `Bij ${them(count)} is het niet gelukt. Nog geselecteerd:`,
  more: (count: number) => `en nog ${count.toLocaleString('nl')}`,
  fileName: 'transcripten',
}
