import { plural } from '../shared/plural.ts'

export const usage = {
  title: 'Uso',
  members: 'Miembros',
  projects: 'Proyectos',
  openProjects: (count: number) => plural(count, 'abierto', 'abiertos'),
  workspaces: 'Espacios de trabajo',
  organisations: 'Organizaciones',
  conversations: 'Conversaciones',
  audio: 'Tiempo grabado',
  storage: 'Almacenamiento',
  of: (value: string, max: string) => `${value} de ${max}`,
  byTier: 'Espacios de trabajo por plan',
  nearLimit: 'Cerca del límite del plan',
}
