import { plural } from '../shared/plural.ts'

export const workspace = {
  overview: 'Werkruimte',
  members: 'Leden',
  settings: 'Instellingen',
  projects: 'Projecten',
  noRole: 'Je hebt geen rol in deze werkruimte',
  noRoleHelp:
    'Je beheert de organisatie, dus je kunt leden toevoegen en verwijderen. Geef jezelf een rol om de projecten te zien.',
  join: 'Voeg mij toe als admin',
  noProjects: 'Met jouw rol zie je geen projecten',
  noProjectsHelp: 'Vraag een eigenaar of admin van deze werkruimte om een andere rol.',
  name: 'Naam',
  saved: 'Opgeslagen',
  export: 'Export',
  exportHelp:
    'Eén zip met alles uit deze werkruimte: projecten, transcripten, samenvattingen, rapporten en, als je wilt, de opnames.',
  withAudio: 'Met de opnames',
  prepare: 'Export voorbereiden',
  ready: 'De export staat klaar',
  readyHelp: (time: string) =>
    `De zip wordt tijdens het downloaden gemaakt; je browser laat zien hoe ver het is. De link werkt tot ${time}.`,
  download: 'Zip downloaden',
  remove: 'Deze werkruimte verwijderen',
  removeHelp: 'Dit wordt gewist en is niet terug te halen:',
  erased: (counts: {
    projects: number
    conversations: number
    reports: number
    webhooks: number
    members: number
    hours: string
  }) => [
    `${plural(counts.projects, 'project', 'projecten')}, met opnamelinks en QR-codes`,
    `${plural(counts.conversations, 'gesprek', 'gesprekken')}, met ${counts.hours} aan opnames, transcripten en samenvattingen`,
    `${plural(counts.reports, 'rapport', 'rapporten')}, ook de gepubliceerde pagina’s`,
    `${plural(counts.webhooks, 'webhook', 'webhooks')}, met de inhoud van hun bezorgingen`,
    `de toegang van ${plural(counts.members, 'lid', 'leden')}, en openstaande uitnodigingen`,
  ],
  kept: 'In het auditlog van de organisatie blijft staan dat jij de werkruimte hebt verwijderd.',
}
