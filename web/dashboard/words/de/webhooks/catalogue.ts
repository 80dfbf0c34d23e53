/** The list of all events of webhooks. */
export const catalogue = {
  title: 'Ereignisse',
  intro: 'Was ein Webhook empfangen kann: wann jedes Ereignis gesendet wird und was es enthält.',
  meanings: {
    'conversation.started':
      'Wird gesendet, wenn jemand mit der Aufnahme beginnt oder eine Aufnahme hochgeladen wird.',
    'conversation.transcribed':
      'Wird gesendet, wenn das ganze Gespräch transkribiert ist. Nach einer neuen Transkription noch einmal, mit höherer Revision.',
    'conversation.summarized':
      'Wird gesendet, wenn die Zusammenfassung fertig ist. Nach einer neuen Zusammenfassung noch einmal, mit höherer Revision.',
    'report.generated': 'Wird gesendet, wenn ein Bericht fertig ist.',
  } as Record<string, string>,
  fields: 'Felder',
  field: 'Feld',
  type: 'Typ',
  optional: 'Nicht immer vorhanden',
}
