/** The list of all events of webhooks. */
export const catalogue = {
  title: 'Events',
  intro: 'Wat een webhook kan ontvangen: wanneer elk event wordt verstuurd en wat erin staat.',
  meanings: {
    'conversation.started': 'Wordt verstuurd als iemand begint op te nemen of als een opname wordt geüpload.',
    'conversation.transcribed':
      'Wordt verstuurd als het hele gesprek is getranscribeerd. Na een nieuwe transcriptie nog eens, met een hogere revisie.',
    'conversation.summarized':
      'Wordt verstuurd als de samenvatting klaar is. Na een nieuwe samenvatting nog eens, met een hogere revisie.',
    'report.generated': 'Wordt verstuurd als een rapport klaar is om te lezen.',
  } as Record<string, string>,
  fields: 'Velden',
  field: 'Veld',
  type: 'Type',
  optional: 'Niet altijd aanwezig',
}
