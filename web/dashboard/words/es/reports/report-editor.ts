/** The page on which the text of a report is edited. */
export const reportEditor = {
  help: 'Cada vez que se guarda se crea una versión; las anteriores se conservan. Las citas se pueden mover y quitar, pero no cambiar: son lo que dijo la gente.',
  introduction: 'Introducción',
  introductionHelp: 'Opcional; con sus propias palabras',
  heading: 'Título de la sección',
  paragraph: (number: number) => `Párrafo ${number}`,
  quotation: (number: number) => `Cita ${number}`,
  addParagraph: 'Añadir un párrafo',
  addSection: 'Añadir una sección',
  moveUp: (name: string) => `Mover arriba: ${name}`,
  moveDown: (name: string) => `Mover abajo: ${name}`,
  remove: (name: string) => `Quitar: ${name}`,
  save: 'Guardar nueva versión',
  discard: 'Descartar cambios',
  noChanges: 'Aún no hay cambios',
  kept: 'Sin guardar. Los cambios se conservan en esta pestaña.',
  conflict: 'Otra persona ha guardado una versión más reciente',
  conflictHelp:
    'Su texto se conserva. Puede guardarlo como la versión más reciente: la otra queda en la lista de versiones y no se pierde nada.',
  saveOver: 'Guardar la mía como la más reciente',
}
