export const tiers = {
  title: 'Tier',
  names: { free: 'Free', innovator: 'Innovator', changemaker: 'Changemaker', guardian: 'Guardian' },
  about: {
    free: 'Recording, transcripts, summaries and reports. No webhooks.',
    innovator: 'Higher limits than Free. No webhooks.',
    changemaker: 'Webhooks to your own systems, and higher limits.',
    guardian: 'Webhooks, and the highest limits.',
  },
  change: 'Only the staff of this service can change the tier.',
}
