/** The field that goes anywhere, and the list of shortcuts. */
export const palette = {
  title: 'Aller à',
  placeholder: 'Saisissez un nom ou un mot…',
  none: 'Aucun résultat. Les conversations sont cherchées dans le projet ouvert.',
  searching: 'Recherche…',
  choose: 'choisir',
  open: 'ouvrir',
  close: 'fermer',
  kinds: {
    recent: 'Récent',
    project: 'Projet',
    page: 'Page',
    workspace: 'Espace de travail',
    organisation: 'Organisation',
    conversation: 'Conversation',
    report: 'Rapport',
    webhook: 'Webhook',
  },
  ofStaff: (page: string) => `Équipe du service\u00a0: ${page}`,
  shortcuts: 'Raccourcis clavier',
  does: {
    goTo: 'Aller à un projet, une conversation, un rapport ou une page',
    search: 'Chercher dans la liste de cette page',
    sheet: 'Afficher ces raccourcis',
    escape: 'Fermer une fenêtre',
  },
}
