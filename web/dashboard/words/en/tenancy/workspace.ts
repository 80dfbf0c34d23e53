import { plural } from '../shared/plural.ts'

export const workspace = {
  overview: 'Workspace',
  members: 'Members',
  settings: 'Settings',
  projects: 'Projects',
  noRole: 'You have no role in this workspace',
  noRoleHelp:
    'You manage its organisation, so you can add and remove its members. To see its projects, give yourself a role.',
  join: 'Add me as admin',
  noProjects: 'Your role does not include projects',
  noProjectsHelp: 'Ask an owner or admin of this workspace for another role.',
  name: 'Name',
  saved: 'Saved',
  export: 'Export',
  exportHelp:
    'One zip with everything in this workspace: projects, transcripts, summaries, reports, and the recordings if you want them.',
  withAudio: 'Include the recordings',
  prepare: 'Prepare the export',
  ready: 'The export is ready',
  readyHelp: (time: string) =>
    `The zip is put together while it downloads; your browser shows the progress. The link works until ${time}.`,
  download: 'Download the zip',
  remove: 'Delete this workspace',
  removeHelp: 'These are erased and cannot be restored:',
  erased: (counts: {
    projects: number
    conversations: number
    reports: number
    webhooks: number
    members: number
    hours: string
  }) => [
    `${plural(counts.projects, 'project', 'projects')}, with recording links and QR codes`,
    `${plural(counts.conversations, 'conversation', 'conversations')}, with ${counts.hours} of recordings, transcripts and summaries`,
    `${plural(counts.reports, 'report', 'reports')}, with the pages of published ones`,
    `${plural(counts.webhooks, 'webhook', 'webhooks')}, with the contents of their deliveries`,
    `the access of ${plural(counts.members, 'member', 'members')}, and pending invitations`,
  ],
  kept: 'The audit log of the organisation records that you deleted it.',
}
