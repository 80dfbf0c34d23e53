import { plural } from '../shared/plural.ts'

export const organisation = {
  overview: 'Organisation',
  others: 'Autres organisations',
  members: 'Membres',
  audit: 'Journal d’audit',
  settings: 'Paramètres',
  workspaces: 'Espaces de travail',
  yourWorkspaces: 'Vos espaces de travail',
  newWorkspace: 'Nouvel espace de travail',
  workspaceName: 'Nom de l’espace de travail',
  noWorkspaces: 'Pas encore d’espaces de travail',
  noWorkspacesHelp: 'Un espace de travail réunit les projets et les membres d’une équipe ou d’un programme.',
  noneOfYours: 'Vous n’êtes membre d’aucun espace de travail ici',
  noneOfYoursHelp: 'Demandez à un propriétaire ou à un admin de l’organisation de vous ajouter à l’un d’eux.',
  noRole: 'Aucun rôle',
  name: 'Nom',
  remove: 'Supprimer cette organisation',
  removeHelp: 'Seront effacés, sans retour possible\u00a0:',
  erased: (counts: {
    workspaces: number
    projects: number
    conversations: number
    reports: number
    webhooks: number
    hours: string
  }) => [
    `${plural(counts.workspaces, 'espace de travail', 'espaces de travail')}, avec membres et invitations`,
    `${plural(counts.projects, 'projet', 'projets')}, avec liens d’enregistrement et codes QR`,
    `${plural(counts.conversations, 'conversation', 'conversations')}, avec ${counts.hours} d’enregistrements, les transcriptions et les résumés`,
    `${plural(counts.reports, 'rapport', 'rapports')}, y compris les pages publiées`,
    `${plural(counts.webhooks, 'webhook', 'webhooks')}, avec le contenu de leurs envois`,
  ],
}
