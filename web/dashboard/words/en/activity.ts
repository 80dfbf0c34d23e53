import { plural } from './plural.ts'

export const activity = {
  attention: 'Needs attention',
  allWell: 'Everything works.',
  webhookFailing: (name: string, failures: number) =>
    `Webhook ${name} fails: ${plural(failures, 'attempt', 'attempts')} in a row`,
  webhookDisabled: (name: string) => `Webhook ${name} is disabled`,
  reasons: {
    gone: 'The receiver answered that it no longer exists.',
    failing: 'Nothing was delivered for five days.',
    staff: 'The support disabled it.',
    secret_unreadable: 'Its secret cannot be read. Set a new one.',
  },
  failedConversations: (count: number) => plural(count, 'conversation failed', 'conversations failed'),
  failedReport: (title: string) => `The report ${title} failed`,
  recent: 'Recent',
  none: 'Nothing happened yet',
  noneHelp: 'Conversations and reports of all your projects appear here.',
  conversation: 'Conversation',
  report: 'Report',
  published: 'Published',
}
