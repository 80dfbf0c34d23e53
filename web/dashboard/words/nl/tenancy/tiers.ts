export const tiers = {
  title: 'Abonnement',
  names: { free: 'Free', innovator: 'Innovator', changemaker: 'Changemaker', guardian: 'Guardian' },
  about: {
    free: 'Opnames, transcripten, samenvattingen en rapporten. Geen webhooks.',
    innovator: 'Hogere limieten dan Free. Geen webhooks.',
    changemaker: 'Webhooks naar je eigen systemen, en hogere limieten.',
    guardian: 'Webhooks, en de hoogste limieten.',
  },
  change: 'Alleen het serviceteam kan het abonnement wijzigen.',
}
