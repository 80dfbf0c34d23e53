import { plural } from '../shared/plural.ts'

export const organisation = {
  overview: 'Organisatie',
  others: 'Andere organisaties',
  members: 'Leden',
  audit: 'Auditlog',
  settings: 'Instellingen',
  workspaces: 'Werkruimten',
  yourWorkspaces: 'Jouw werkruimten',
  newWorkspace: 'Nieuwe werkruimte',
  workspaceName: 'Naam van de werkruimte',
  noWorkspaces: 'Nog geen werkruimten',
  noWorkspacesHelp: 'In een werkruimte staan de projecten en leden van één team of programma.',
  noneOfYours: 'Je bent hier van geen enkele werkruimte lid',
  noneOfYoursHelp: 'Vraag een eigenaar of admin van de organisatie om je toe te voegen.',
  noRole: 'Geen rol',
  name: 'Naam',
  remove: 'Deze organisatie verwijderen',
  removeHelp: 'Dit wordt gewist en is niet terug te halen:',
  erased: (counts: {
    workspaces: number
    projects: number
    conversations: number
    reports: number
    webhooks: number
    hours: string
  }) => [
    `${plural(counts.workspaces, 'werkruimte', 'werkruimten')}, met leden en uitnodigingen`,
    `${plural(counts.projects, 'project', 'projecten')}, met opnamelinks en QR-codes`,
    `${plural(counts.conversations, 'gesprek', 'gesprekken')}, met ${counts.hours} aan opnames, transcripten en samenvattingen`,
    `${plural(counts.reports, 'rapport', 'rapporten')}, ook de gepubliceerde pagina’s`,
    `${plural(counts.webhooks, 'webhook', 'webhooks')}, met de inhoud van hun bezorgingen`,
  ],
}
