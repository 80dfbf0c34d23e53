export const tiers = {
  title: 'Plan',
  names: { free: 'Free', innovator: 'Innovator', changemaker: 'Changemaker', guardian: 'Guardian' },
  about: {
    free: 'Grabaciones, transcripciones, resúmenes e informes. Sin webhooks.',
    innovator: 'Límites más altos que en Free. Sin webhooks.',
    changemaker: 'Webhooks a sus propios sistemas y límites más altos.',
    guardian: 'Webhooks y los límites más altos de todos.',
  },
  change: 'Solo el personal del servicio puede cambiar el plan.',
}
