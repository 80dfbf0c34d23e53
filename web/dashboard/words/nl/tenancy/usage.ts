export const usage = {
  title: 'Gebruik',
  members: 'Leden',
  projects: 'Projecten',
  openProjects: (count: number) => `${count.toLocaleString('nl')} open`,
  workspaces: 'Werkruimten',
  organisations: 'Organisaties',
  conversations: 'Gesprekken',
  audio: 'Opgenomen',
  storage: 'Opgeslagen',
  of: (value: string, max: string) => `${value} van ${max}`,
  byTier: 'Werkruimten per abonnement',
  nearLimit: 'Bijna aan de limiet van het abonnement',
}
