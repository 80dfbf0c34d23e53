import { plural } from '../shared/plural.ts'

export const activity = {
  attention: 'Needs attention',
  webhookFailing: (name: string, failures: number) =>
    failures === 1
      ? `Webhook ${name}: the last attempt failed`
      : `Webhook ${name}: the last ${failures.toLocaleString('en')} attempts failed`,
  webhookDisabled: (name: string) => `Webhook ${name} is disabled`,
  reasons: {
    gone: 'The receiver reported that it no longer exists.',
    failing: 'Nothing was delivered for five days.',
    staff: 'Staff of the service disabled it.',
    secret_unreadable: 'Its secret cannot be read. Set a new one.',
  },
  failedConversations: (count: number) => plural(count, 'conversation failed', 'conversations failed'),
  failedReport: (title: string) => `The report ${title} failed`,
  invitationExpired: (email: string, time: string) => `The invitation of ${email} expired (${time})`,
  inviteAgain: 'Invite again',
  forget: 'Forget',
  recent: 'Recent',
  none: 'Nothing happened yet',
  noneHelp: 'Conversations and reports of all your projects appear here.',
  report: 'Report',
  published: 'Published',
}
