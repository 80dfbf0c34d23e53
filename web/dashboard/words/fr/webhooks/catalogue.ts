/** The list of all events of webhooks. */
export const catalogue = {
  title: 'Événements',
  intro: 'Ce qu’un webhook peut recevoir\u00a0: quand chaque événement est envoyé, et ce qu’il contient.',
  meanings: {
    'conversation.started':
      'Envoyé lorsqu’une personne commence à enregistrer, ou lorsqu’un enregistrement est importé.',
    'conversation.transcribed':
      'Envoyé lorsque toute la conversation est transcrite. Renvoyé, avec une révision supérieure, après une nouvelle transcription.',
    'conversation.summarized':
      'Envoyé lorsque le résumé de la conversation est prêt. Renvoyé, avec une révision supérieure, après un nouveau résumé.',
    'report.generated': 'Envoyé lorsqu’un rapport est prêt à être lu.',
  } as Record<string, string>,
  fields: 'Champs',
  field: 'Champ',
  type: 'Type',
  optional: 'Pas toujours présent',
}
