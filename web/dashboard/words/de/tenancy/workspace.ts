import { plural } from '../shared/plural.ts'

export const workspace = {
  overview: 'Arbeitsbereich',
  members: 'Mitglieder',
  settings: 'Einstellungen',
  projects: 'Projekte',
  noRole: 'Sie haben in diesem Arbeitsbereich keine Rolle',
  noRoleHelp:
    'Sie verwalten die Organisation und können deshalb Mitglieder hinzufügen und entfernen. Um die Projekte zu sehen, geben Sie sich selbst eine Rolle.',
  join: 'Mich als Admin hinzufügen',
  noProjects: 'Mit Ihrer Rolle sehen Sie keine Projekte',
  noProjectsHelp: 'Bitten Sie Inhaber oder Admins dieses Arbeitsbereichs um eine andere Rolle.',
  name: 'Name',
  saved: 'Gespeichert',
  export: 'Export',
  exportHelp:
    'Eine ZIP-Datei mit allem aus diesem Arbeitsbereich: Projekte, Transkripte, Zusammenfassungen, Berichte und auf Wunsch die Aufnahmen.',
  withAudio: 'Mit Aufnahmen',
  prepare: 'Export vorbereiten',
  ready: 'Der Export ist bereit',
  readyHelp: (time: string) =>
    `Die ZIP-Datei entsteht beim Herunterladen; Ihr Browser zeigt den Fortschritt. Der Link ist gültig bis ${time}.`,
  download: 'ZIP herunterladen',
  remove: 'Diesen Arbeitsbereich löschen',
  removeHelp: 'Das wird gelöscht und lässt sich nicht wiederherstellen:',
  erased: (counts: {
    projects: number
    conversations: number
    reports: number
    webhooks: number
    members: number
    hours: string
  }) => [
    `${plural(counts.projects, 'Projekt', 'Projekte')} mit Aufnahmelinks und QR-Codes`,
    `${plural(counts.conversations, 'Gespräch', 'Gespräche')} mit ${counts.hours} Aufnahmen, Transkripten und Zusammenfassungen`,
    `${plural(counts.reports, 'Bericht', 'Berichte')}, auch die veröffentlichten Seiten`,
    `${plural(counts.webhooks, 'Webhook', 'Webhooks')} mit den Inhalten ihrer Zustellungen`,
    `der Zugang von ${plural(counts.members, 'Mitglied', 'Mitgliedern')} und offene Einladungen`,
  ],
  kept: 'Im Audit-Protokoll der Organisation bleibt vermerkt, dass Sie ihn gelöscht haben.',
}
