/** The page on which the text of a report is edited. */
export const reportEditor = {
  help: 'Each save is a new version; earlier ones stay. Quotations can be moved and removed, but not changed: they are what people said.',
  introduction: 'Introduction',
  introductionHelp: 'Optional; in your own words',
  heading: 'Heading',
  paragraph: (number: number) => `Paragraph ${number}`,
  quotation: (number: number) => `Quotation ${number}`,
  addParagraph: 'Add a paragraph',
  addSection: 'Add a section',
  moveUp: (name: string) => `Move up: ${name}`,
  moveDown: (name: string) => `Move down: ${name}`,
  remove: (name: string) => `Remove: ${name}`,
  save: 'Save as a new version',
  discard: 'Discard the changes',
  noChanges: 'No changes yet',
  kept: 'Not saved yet. Your changes are kept in this tab.',
  conflict: 'Someone else has saved a newer version',
  conflictHelp:
    'Your text is kept. You can save it as the newest version: theirs stays in the list of versions, and nothing is lost.',
  saveOver: 'Save mine as the newest version',
}
