import { plural } from '../shared/plural.ts'

export const workspace = {
  overview: 'Espace de travail',
  members: 'Membres',
  settings: 'Paramètres',
  projects: 'Projets',
  noRole: 'Vous n’avez aucun rôle dans cet espace de travail',
  noRoleHelp:
    'Vous gérez son organisation\u00a0: vous pouvez donc ajouter et retirer ses membres. Pour voir ses projets, attribuez-vous un rôle.',
  join: 'M’ajouter comme admin',
  noProjects: 'Votre rôle ne donne pas accès aux projets',
  noProjectsHelp: 'Demandez un autre rôle à un propriétaire ou à un admin de cet espace de travail.',
  name: 'Nom',
  saved: 'Sauvegardé',
  export: 'Export',
  exportHelp:
    'Un fichier zip avec tout le contenu de cet espace de travail\u00a0: projets, transcriptions, résumés, rapports et, si vous le souhaitez, les enregistrements.',
  withAudio: 'Inclure les enregistrements',
  prepare: 'Préparer l’export',
  ready: 'L’export est prêt',
  readyHelp: (time: string) =>
    `Le zip est constitué pendant le téléchargement\u202f; votre navigateur affiche la progression. Le lien fonctionne jusqu’au ${time}.`,
  download: 'Télécharger le zip',
  remove: 'Supprimer cet espace de travail',
  removeHelp: 'Seront effacés, sans retour possible\u00a0:',
  erased: (counts: {
    projects: number
    conversations: number
    reports: number
    webhooks: number
    members: number
    hours: string
  }) => [
    `${plural(counts.projects, 'projet', 'projets')}, avec liens d’enregistrement et codes QR`,
    `${plural(counts.conversations, 'conversation', 'conversations')}, avec ${counts.hours} d’enregistrements, les transcriptions et les résumés`,
    `${plural(counts.reports, 'rapport', 'rapports')}, y compris les pages publiées`,
    `${plural(counts.webhooks, 'webhook', 'webhooks')}, avec le contenu de leurs envois`,
    `l’accès de ${plural(counts.members, 'membre', 'membres')} et les invitations en attente`,
  ],
  kept: 'Le journal d’audit de l’organisation garde la trace de cette suppression.',
}
