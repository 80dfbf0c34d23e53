import { plural } from '../shared/plural.ts'

export const activity = {
  attention: 'Zu prüfen',
  webhookFailing: (name: string, failures: number) =>
    failures === 1
      ? `Webhook ${name}: Der letzte Versuch ist fehlgeschlagen`
      : `Webhook ${name}: ${plural(failures, 'Fehler', 'Fehler')} in Folge`,
  webhookDisabled: (name: string) => `Webhook ${name} ist deaktiviert`,
  reasons: {
    gone: 'Der Empfänger hat gemeldet, dass es ihn nicht mehr gibt.',
    failing: 'Fünf Tage lang wurde nichts zugestellt.',
    staff: 'Das Service-Team hat ihn deaktiviert.',
    secret_unreadable: 'Das Secret ist nicht lesbar. Legen Sie ein neues fest.',
  },
  failedConversations: (count: number) =>
    plural(count, 'Gespräch fehlgeschlagen', 'Gespräche fehlgeschlagen'),
  failedReport: (title: string) => `Bericht „${title}“ ist fehlgeschlagen`,
  invitationExpired: (email: string, time: string) => `Die Einladung von ${email} ist abgelaufen (${time})`,
  inviteAgain: 'Erneut einladen',
  forget: 'Verwerfen',
  recent: 'Zuletzt',
  none: 'Noch ist nichts geschehen',
  noneHelp: 'Hier erscheinen die Gespräche und Berichte all Ihrer Projekte.',
  report: 'Bericht',
  published: 'Veröffentlicht',
}
