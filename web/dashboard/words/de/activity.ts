import { plural } from './plural.ts'

export const activity = {
  attention: 'Zu prüfen',
  allWell: 'Alles funktioniert.',
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
  recent: 'Zuletzt',
  none: 'Noch ist nichts geschehen',
  noneHelp: 'Hier erscheinen die Gespräche und Berichte all Ihrer Projekte.',
  conversation: 'Gespräch',
  report: 'Bericht',
  published: 'Veröffentlicht',
}
