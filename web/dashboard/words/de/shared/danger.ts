export const danger = {
  help: 'Vor dem Bestätigen sehen Sie, was alles gelöscht wird.',
  open: 'Löschen',
  typeName: (name: string) => `Zum Bestätigen „${name}“ eingeben`,
  confirm: 'Endgültig löschen',
}
