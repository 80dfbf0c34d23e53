export const usage = {
  title: 'Nutzung',
  members: 'Mitglieder',
  projects: 'Projekte',
  openProjects: (count: number) => `${count.toLocaleString('de')} offen`,
  workspaces: 'Arbeitsbereiche',
  organisations: 'Organisationen',
  conversations: 'Gespräche',
  audio: 'Aufgenommen',
  storage: 'Gespeichert',
  of: (value: string, max: string) => `${value} von ${max}`,
  byTier: 'Arbeitsbereiche nach Tarif',
  nearLimit: 'Nahe am Limit des Tarifs',
}
