import { plural } from '../shared/plural.ts'

export const usage = {
  title: 'Utilisation',
  members: 'Membres',
  projects: 'Projets',
  openProjects: (count: number) => `dont ${plural(count, 'ouvert', 'ouverts')}`,
  workspaces: 'Espaces de travail',
  organisations: 'Organisations',
  conversations: 'Conversations',
  audio: 'Durée enregistrée',
  storage: 'Stockage',
  of: (value: string, max: string) => `${value} sur ${max}`,
  byTier: 'Espaces de travail par formule',
  nearLimit: 'Proche de la limite de la formule',
}
