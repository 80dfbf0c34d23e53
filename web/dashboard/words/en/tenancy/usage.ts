export const usage = {
  title: 'Usage',
  members: 'Members',
  projects: 'Projects',
  openProjects: (count: number) => `${count.toLocaleString('en')} open`,
  workspaces: 'Workspaces',
  organisations: 'Organisations',
  conversations: 'Conversations',
  audio: 'Recorded',
  storage: 'Stored',
  of: (value: string, max: string) => `${value} of ${max}`,
  byTier: 'Workspaces by tier',
  nearLimit: 'Close to the limit of the tier',
}
