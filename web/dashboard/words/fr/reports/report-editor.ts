/** The page on which the text of a report is edited. */
export const reportEditor = {
  help: 'Chaque sauvegarde crée une version\u202f; les précédentes sont conservées. Les citations peuvent être déplacées ou retirées, mais pas modifiées\u00a0: c’est ce que les gens ont dit.',
  introduction: 'Introduction',
  introductionHelp: 'Facultatif\u202f; avec vos propres mots',
  heading: 'Titre de section',
  paragraph: (number: number) => `Paragraphe ${number}`,
  quotation: (number: number) => `Citation ${number}`,
  addParagraph: 'Ajouter un paragraphe',
  addSection: 'Ajouter une section',
  moveUp: (name: string) => `Monter\u00a0: ${name}`,
  moveDown: (name: string) => `Descendre\u00a0: ${name}`,
  remove: (name: string) => `Retirer\u00a0: ${name}`,
  save: 'Sauvegarder une version',
  discard: 'Annuler les modifications',
  noChanges: 'Aucune modification',
  kept: 'Pas encore sauvegardé. Vos modifications sont gardées dans cet onglet.',
  conflict: 'Quelqu’un d’autre a sauvegardé une version plus récente',
  conflictHelp:
    'Votre texte est conservé. Vous pouvez en faire la version la plus récente\u00a0: l’autre reste dans la liste des versions et rien n’est perdu.',
  saveOver: 'Sauvegarder comme la plus récente',
}
