/** The page on which the text of a report is edited. */
export const reportEditor = {
  help: 'Elke keer dat je opslaat, ontstaat een nieuwe versie; eerdere versies blijven. Citaten kun je verplaatsen en weghalen, maar niet wijzigen: zo is het gezegd.',
  introduction: 'Inleiding',
  introductionHelp: 'Niet verplicht; in je eigen woorden',
  heading: 'Kop',
  paragraph: (number: number) => `Alinea ${number}`,
  quotation: (number: number) => `Citaat ${number}`,
  addParagraph: 'Alinea toevoegen',
  addSection: 'Onderdeel toevoegen',
  moveUp: (name: string) => `Omhoog: ${name}`,
  moveDown: (name: string) => `Omlaag: ${name}`,
  remove: (name: string) => `Weghalen: ${name}`,
  save: 'Opslaan als nieuwe versie',
  discard: 'Niet opslaan',
  noChanges: 'Nog geen wijzigingen',
  kept: 'Nog niet opgeslagen. Je wijzigingen blijven bewaard in dit tabblad.',
  conflict: 'Iemand anders heeft een nieuwere versie opgeslagen',
  conflictHelp:
    'Je tekst blijft bewaard. Je kunt hem opslaan als nieuwste versie: die van de ander blijft in de lijst met versies, en er gaat niets verloren.',
  saveOver: 'Opslaan als nieuwste versie',
}
