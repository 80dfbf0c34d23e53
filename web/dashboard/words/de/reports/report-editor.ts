/** The page on which the text of a report is edited. */
export const reportEditor = {
  help: 'Jedes Speichern ergibt eine neue Version; frühere bleiben. Zitate können Sie verschieben und entfernen, aber nicht ändern: So wurde es gesagt.',
  introduction: 'Einleitung',
  introductionHelp: 'Optional; in Ihren eigenen Worten',
  heading: 'Überschrift',
  paragraph: (number: number) => `Absatz ${number}`,
  quotation: (number: number) => `Zitat ${number}`,
  addParagraph: 'Absatz hinzufügen',
  addSection: 'Abschnitt hinzufügen',
  moveUp: (name: string) => `Nach oben: ${name}`,
  moveDown: (name: string) => `Nach unten: ${name}`,
  remove: (name: string) => `Entfernen: ${name}`,
  save: 'Als neue Version speichern',
  discard: 'Änderungen verwerfen',
  noChanges: 'Noch keine Änderungen',
  kept: 'Noch nicht gespeichert. Ihre Änderungen bleiben in diesem Tab erhalten.',
  conflict: 'Jemand anderes hat eine neuere Version gespeichert',
  conflictHelp:
    'Ihr Text bleibt erhalten. Sie können ihn als neueste Version speichern: Die andere bleibt in der Liste der Versionen, nichts geht verloren.',
  saveOver: 'Als neueste Version speichern',
}
