export const problems = {
  title: 'Das hat nicht geklappt',
  unreachable: 'Der Server antwortet nicht. Prüfen Sie die Verbindung; Ihre Eingaben gehen nicht verloren.',
  unexpected:
    'Auf dieser Seite ist ein Fehler aufgetreten. Laden Sie sie neu. Wenn es wieder passiert, melden Sie es bitte dem Betreiber.',
  requestId: (id: string) => `Anfrage ${id}`,
  notFoundTitle: 'Diese Seite gibt es nicht',
  notFound: 'Vielleicht ist der Link veraltet, oder Sie haben keinen Zugriff.',
  notAllowedTitle: 'Diese Seite gehört nicht zu Ihrer Rolle',
  notAllowed: 'Wenn Sie sie brauchen, fragen Sie Inhaber oder Admins des Arbeitsbereichs.',
  home: 'Zur Startseite',
  changedByOthers:
    'Jemand anderes hat dies inzwischen geändert. Ihr Text bleibt erhalten; sehen Sie sich die neue Version an und speichern Sie noch einmal.',
}
