export const tiers = {
  title: 'Tarif',
  names: { free: 'Free', innovator: 'Innovator', changemaker: 'Changemaker', guardian: 'Guardian' },
  about: {
    free: 'Aufnahmen, Transkripte, Zusammenfassungen und Berichte. Keine Webhooks.',
    innovator: 'Höhere Limits als bei Free. Keine Webhooks.',
    changemaker: 'Webhooks zu Ihren eigenen Systemen und höhere Limits.',
    guardian: 'Webhooks und die höchsten Limits.',
  },
  change: 'Nur das Service-Team kann den Tarif ändern.',
}
