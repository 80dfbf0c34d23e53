import { plural } from '../shared/plural.ts'

export const activity = {
  attention: 'Por revisar',
  webhookFailing: (name: string, failures: number) =>
    `Webhook ${name} con fallos: ${plural(failures, 'intento fallido', 'intentos fallidos seguidos')}`,
  webhookDisabled: (name: string) => `Webhook ${name} desactivado`,
  reasons: {
    gone: 'El receptor respondió que ya no existe.',
    failing: 'Ninguna entrega fue correcta durante cinco días.',
    staff: 'Lo desactivó el personal del servicio.',
    secret_unreadable: 'Su secreto no se puede leer. Defina uno nuevo.',
  },
  failedConversations: (count: number) => plural(count, 'conversación fallida', 'conversaciones fallidas'),
  failedReport: (title: string) => `El informe ${title} ha fallado`,
  invitationExpired: (email: string, time: string) => `La invitación de ${email} caducó (${time})`,
  inviteAgain: 'Invitar de nuevo',
  forget: 'Descartar',
  recent: 'Reciente',
  none: 'Aún no hay actividad',
  noneHelp: 'Aquí aparecerán las conversaciones y los informes de todos sus proyectos.',
  report: 'Informe',
  published: 'Publicado',
}
