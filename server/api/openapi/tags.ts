/** The groups of the reference; generated clients make a module of each. */
export const TAGS = {
  Service: 'Health and readiness.',
  Me: 'The signed-in user: organisations, workspaces, capabilities and invitations.',
  Organisations: 'Organisations and their members, usage and audit log.',
  Workspaces: 'Workspaces and their members, usage and exports.',
  Invitations: 'Accept or decline an invitation.',
  Projects: 'Projects and the settings of their recording page.',
  Conversations: 'Recorded conversations: transcripts, audio, summaries and live states.',
  Reports: 'Reports on the conversations of a project.',
  Webhooks: 'Webhooks of a project, their delivery log, and the feed of events.',
  Participants: 'Recording without an account. Routes of a conversation need its X-Participant-Token.',
  Uploads: 'Resumable uploads of whole recordings, by the tus 1.0 protocol.',
  Staff: 'Administration of the service, only for staff.',
  Events: 'Requests that webhooks send to your server.',
} as const

export type Tag = keyof typeof TAGS
