import { plural } from './plural.ts'

export const conversations = {
  title: 'Gesprekken',
  search: 'Zoek in namen, titels en transcripten',
  status: 'Status',
  source: 'Bron',
  tag: 'Tag',
  anyStatus: 'Elke status',
  anySource: 'Elke bron',
  clear: 'Filters wissen',
  none: 'Nog geen gesprekken',
  noneHelp: 'Open de opnamelink op een telefoon en zeg een paar woorden.',
  noMatch: 'Geen gesprek gevonden',
  noMatchHelp: 'Probeer minder filters of een ander woord.',
  statuses: {
    recording: 'Opname loopt',
    transcribing: 'Transcriptie',
    summarizing: 'Samenvatting',
    done: 'Klaar',
    failed: 'Mislukt',
  },
  sources: { portal_audio: 'Opgenomen', portal_text: 'Geschreven', upload: 'Geüpload' },
  columns: { conversation: 'Gesprek', status: 'Status', length: 'Duur', started: 'Begonnen' },
  anonymous: 'Anoniem',
  loaded: (count: number) => plural(count, 'gesprek', 'gesprekken'),
}
