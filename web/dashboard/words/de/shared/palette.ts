/** The field that goes anywhere, and the list of shortcuts. */
export const palette = {
  title: 'Gehe zu',
  placeholder: 'Name oder Wort eingeben…',
  none: 'Nichts gefunden. Gespräche werden im geöffneten Projekt gesucht.',
  searching: 'Wird gesucht\u00a0…',
  choose: 'auswählen',
  open: 'öffnen',
  close: 'schließen',
  kinds: {
    recent: 'Zuletzt',
    project: 'Projekt',
    page: 'Seite',
    workspace: 'Arbeitsbereich',
    organisation: 'Organisation',
    conversation: 'Gespräch',
    report: 'Bericht',
    webhook: 'Webhook',
  },
  ofStaff: (page: string) => `Service-Team: ${page}`,
  shortcuts: 'Tastenkürzel',
  does: {
    goTo: 'Zu einem Projekt, Gespräch, Bericht oder einer Seite gehen',
    search: 'In der Liste auf dieser Seite suchen',
    sheet: 'Diese Tastenkürzel anzeigen',
    escape: 'Ein Fenster schließen',
  },
}
