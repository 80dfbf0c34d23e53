import { plural } from './plural.ts'

export const usage = {
  title: 'Uso',
  members: 'Miembros',
  projects: 'Proyectos',
  openProjects: (count: number) => plural(count, 'abierto', 'abiertos'),
  workspaces: 'Espacios de trabajo',
  organisations: 'Organizaciones',
  invitations: 'Invitaciones pendientes',
  conversations: 'Conversaciones',
  audio: 'Tiempo grabado',
  storage: 'Almacenamiento',
  of: (value: string, max: string) => `${value} de ${max}`,
  hours: (hours: string) => `${hours}\u00a0h`,
  byTier: 'Espacios de trabajo por plan',
  nearLimit: 'Cerca del límite del plan',
}
