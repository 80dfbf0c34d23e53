import { plural } from '../shared/plural.ts'

export const activity = {
  attention: 'Vraagt aandacht',
  webhookFailing: (name: string, failures: number) =>
    failures === 1
      ? `Webhook ${name}: de laatste poging is mislukt`
      : `Webhook ${name}: ${failures.toLocaleString('nl')} keer op rij mislukt`,
  webhookDisabled: (name: string) => `Webhook ${name} is uitgeschakeld`,
  reasons: {
    gone: 'De ontvanger antwoordde dat hij niet meer bestaat.',
    failing: 'In vijf dagen is niets bezorgd.',
    staff: 'Het serviceteam heeft hem uitgeschakeld.',
    secret_unreadable: 'Het secret is niet te lezen. Stel een nieuw secret in.',
  },
  failedConversations: (count: number) => plural(count, 'gesprek mislukt', 'gesprekken mislukt'),
  failedReport: (title: string) => `Rapport ‘${title}’ is mislukt`,
  invitationExpired: (email: string, time: string) => `De uitnodiging van ${email} is verlopen (${time})`,
  inviteAgain: 'Opnieuw uitnodigen',
  forget: 'Vergeten',
  recent: 'Recent',
  none: 'Er is nog niets gebeurd',
  noneHelp: 'Hier zie je straks de gesprekken en rapporten van al je projecten.',
  report: 'Rapport',
  published: 'Gepubliceerd',
}
