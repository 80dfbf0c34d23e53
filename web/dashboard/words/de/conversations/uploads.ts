import { plural } from '../shared/plural.ts'

export const uploads = {
  choose: 'Audio hochladen',
  title: 'Uploads',
  drop: 'Audiodateien zum Hochladen hier ablegen',
  help: (max: string) =>
    `Aufnahmen in jedem gängigen Format, je bis zu ${max}. Aus jeder Datei wird ein Gespräch.`,
  states: {
    queued: 'Wartet auf die Dateien davor',
    sending: 'Wird hochgeladen',
    waiting: 'Wartet auf die Verbindung und macht dann weiter',
    done: 'Hochgeladen',
    failed: 'Nicht hochgeladen',
  },
  progress: (name: string) => `Fortschritt von ${name}`,
  sent: (sent: string, total: string) => `${sent} von ${total}`,
  interrupted: 'Unterbrochen. Wählen Sie dieselbe Datei noch einmal, um fortzufahren.',
  open: 'Öffnen',
  cancel: (name: string) => `Hochladen von ${name} abbrechen`,
  cancelShort: 'Abbrechen',
  remove: (name: string) => `${name} aus der Liste entfernen`,
  removeShort: 'Entfernen',
  forget: 'Verwerfen',
  clear: 'Liste leeren',
  doneCount: (count: number) => plural(count, 'Datei hochgeladen', 'Dateien hochgeladen'),
}
