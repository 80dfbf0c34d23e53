import { plural } from './plural.ts'

export const usage = {
  title: 'Utilisation',
  members: 'Membres',
  projects: 'Projets',
  openProjects: (count: number) => `dont ${plural(count, 'ouvert', 'ouverts')}`,
  workspaces: 'Espaces de travail',
  organisations: 'Organisations',
  invitations: 'Invitations en attente',
  conversations: 'Conversations',
  audio: 'Durée enregistrée',
  storage: 'Stockage',
  of: (value: string, max: string) => `${value} sur ${max}`,
  hours: (hours: string) => `${hours}\u00a0h`,
  byTier: 'Espaces de travail par formule',
  nearLimit: 'Proche de la limite de la formule',
}
