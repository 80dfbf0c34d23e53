export const tiers = {
  title: 'Formule',
  names: { free: 'Free', innovator: 'Innovator', changemaker: 'Changemaker', guardian: 'Guardian' },
  about: {
    free: 'Enregistrements, transcriptions, résumés et rapports. Pas de webhooks.',
    innovator: 'Des limites plus élevées qu’avec Free. Pas de webhooks.',
    changemaker: 'Des webhooks vers vos propres systèmes et des limites plus élevées.',
    guardian: 'Des webhooks et les limites les plus élevées.',
  },
  change: 'Seule l’équipe du service peut changer la formule.',
}
