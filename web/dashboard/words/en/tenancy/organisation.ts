import { plural } from '../shared/plural.ts'

export const organisation = {
  overview: 'Organisation',
  others: 'More organisations',
  members: 'Members',
  audit: 'Audit log',
  settings: 'Settings',
  workspaces: 'Workspaces',
  yourWorkspaces: 'Your workspaces',
  newWorkspace: 'New workspace',
  workspaceName: 'Name of the workspace',
  noWorkspaces: 'No workspaces yet',
  noWorkspacesHelp: 'A workspace holds the projects and members of one team or programme.',
  noneOfYours: 'You are a member of no workspace here',
  noneOfYoursHelp: 'Ask an owner or admin of the organisation to add you to one.',
  noRole: 'No role',
  name: 'Name',
  remove: 'Delete this organisation',
  removeHelp: 'These are erased and cannot be restored:',
  erased: (counts: {
    workspaces: number
    projects: number
    conversations: number
    reports: number
    webhooks: number
    hours: string
  }) => [
    `${plural(counts.workspaces, 'workspace', 'workspaces')}, with members and invitations`,
    `${plural(counts.projects, 'project', 'projects')}, with recording links and QR codes`,
    `${plural(counts.conversations, 'conversation', 'conversations')}, with ${counts.hours} of recordings, transcripts and summaries`,
    `${plural(counts.reports, 'report', 'reports')}, with the pages of published ones`,
    `${plural(counts.webhooks, 'webhook', 'webhooks')}, with the contents of their deliveries`,
  ],
}
