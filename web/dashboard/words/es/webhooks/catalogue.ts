/** The list of all events of webhooks. */
export const catalogue = {
  title: 'Eventos',
  intro: 'Lo que puede recibir un webhook: cuándo se envía cada evento y qué contiene.',
  meanings: {
    'conversation.started': 'Se envía cuando alguien empieza a grabar o cuando se sube una grabación.',
    'conversation.transcribed':
      'Se envía cuando toda la conversación está transcrita. Se envía otra vez, con una revisión mayor, tras una nueva transcripción.',
    'conversation.summarized':
      'Se envía cuando la conversación tiene su resumen. Se envía otra vez, con una revisión mayor, tras un nuevo resumen.',
    'report.generated': 'Se envía cuando un informe está listo para leer.',
  } as Record<string, string>,
  fields: 'Campos',
  field: 'Campo',
  type: 'Tipo',
  optional: 'No siempre está',
}
