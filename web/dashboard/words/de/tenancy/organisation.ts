import { plural } from '../shared/plural.ts'

export const organisation = {
  overview: 'Organisation',
  others: 'Weitere Organisationen',
  members: 'Mitglieder',
  audit: 'Audit-Protokoll',
  settings: 'Einstellungen',
  workspaces: 'Arbeitsbereiche',
  yourWorkspaces: 'Ihre Arbeitsbereiche',
  newWorkspace: 'Neuer Arbeitsbereich',
  workspaceName: 'Name des Arbeitsbereichs',
  noWorkspaces: 'Noch keine Arbeitsbereiche',
  noWorkspacesHelp: 'Ein Arbeitsbereich enthält die Projekte und Mitglieder eines Teams oder Programms.',
  noneOfYours: 'Sie sind hier in keinem Arbeitsbereich Mitglied',
  noneOfYoursHelp: 'Bitten Sie Inhaber oder Admins der Organisation, Sie hinzuzufügen.',
  noRole: 'Keine Rolle',
  name: 'Name',
  remove: 'Diese Organisation löschen',
  removeHelp: 'Das wird gelöscht und lässt sich nicht wiederherstellen:',
  erased: (counts: {
    workspaces: number
    projects: number
    conversations: number
    reports: number
    webhooks: number
    hours: string
  }) => [
    `${plural(counts.workspaces, 'Arbeitsbereich', 'Arbeitsbereiche')} mit Mitgliedern und Einladungen`,
    `${plural(counts.projects, 'Projekt', 'Projekte')} mit Aufnahmelinks und QR-Codes`,
    `${plural(counts.conversations, 'Gespräch', 'Gespräche')} mit ${counts.hours} Aufnahmen, Transkripten und Zusammenfassungen`,
    `${plural(counts.reports, 'Bericht', 'Berichte')}, auch die veröffentlichten Seiten`,
    `${plural(counts.webhooks, 'Webhook', 'Webhooks')} mit den Inhalten ihrer Zustellungen`,
  ],
}
