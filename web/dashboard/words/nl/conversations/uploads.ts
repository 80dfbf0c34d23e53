import { plural } from '../shared/plural.ts'

export const uploads = {
  choose: 'Geluid uploaden',
  title: 'Uploads',
  drop: 'Sleep geluidsbestanden hierheen om ze te uploaden',
  help: (max: string) =>
    `Opnames in elk gangbaar formaat, tot ${max} per stuk. Elk bestand wordt een gesprek.`,
  states: {
    queued: 'Wacht op de bestanden ervoor',
    sending: 'Uploaden',
    waiting: 'Wacht op verbinding en gaat dan verder',
    done: 'Geüpload',
    failed: 'Niet geüpload',
  },
  progress: (name: string) => `Voortgang van ${name}`,
  sent: (sent: string, total: string) => `${sent} van ${total}`,
  interrupted: 'Onderbroken. Kies hetzelfde bestand nog eens om verder te gaan.',
  open: 'Openen',
  cancel: (name: string) => `Upload van ${name} annuleren`,
  cancelShort: 'Annuleren',
  remove: (name: string) => `${name} uit de lijst verwijderen`,
  removeShort: 'Verwijderen',
  forget: 'Vergeten',
  clear: 'Lijst wissen',
  doneCount: (count: number) => plural(count, 'bestand geüpload', 'bestanden geüpload'),
}
