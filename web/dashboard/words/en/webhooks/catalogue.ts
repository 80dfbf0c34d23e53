/** The list of all events of webhooks. */
export const catalogue = {
  title: 'Events',
  intro: 'What a webhook can receive: when each event is sent, and what it contains.',
  meanings: {
    'conversation.started': 'Sent when someone starts to record, or when a recording is uploaded.',
    'conversation.transcribed':
      'Sent when the whole conversation is text. Sent again, with a higher revision, after a new transcription.',
    'conversation.summarized':
      'Sent when the conversation has its summary. Sent again, with a higher revision, after a new summary.',
    'report.generated': 'Sent when a report is ready to read.',
  } as Record<string, string>,
  fields: 'Fields',
  field: 'Field',
  type: 'Type',
  optional: 'Not always there',
}
