import { plural } from '../shared/plural.ts'

export const activity = {
  attention: 'À vérifier',
  webhookFailing: (name: string, failures: number) =>
    `Webhook ${name} en échec\u00a0: ${plural(failures, 'tentative ratée', 'tentatives ratées de suite')}`,
  webhookDisabled: (name: string) => `Webhook ${name} désactivé`,
  reasons: {
    gone: 'Le récepteur a répondu qu’il n’existe plus.',
    failing: 'Aucun envoi n’a abouti pendant cinq jours.',
    staff: 'L’équipe du service l’a désactivé.',
    secret_unreadable: 'Son secret est illisible. Définissez-en un nouveau.',
  },
  failedConversations: (count: number) => plural(count, 'conversation en échec', 'conversations en échec'),
  failedReport: (title: string) => `Échec du rapport ${title}`,
  invitationExpired: (email: string, time: string) => `L’invitation de ${email} a expiré (${time})`,
  inviteAgain: 'Inviter à nouveau',
  forget: 'Oublier',
  recent: 'Récent',
  none: 'Rien pour l’instant',
  noneHelp: 'Les conversations et les rapports de tous vos projets apparaîtront ici.',
  report: 'Rapport',
  published: 'Publié',
}
