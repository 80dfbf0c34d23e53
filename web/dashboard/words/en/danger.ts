export const danger = {
  help: 'You see everything that is erased before you confirm.',
  open: 'Delete',
  typeName: (name: string) => `Type “${name}” to confirm`,
  confirm: 'Delete for good',
}
