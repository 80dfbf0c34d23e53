export const danger = {
  help: 'Before you confirm, you see everything that will be erased.',
  open: 'Delete',
  typeName: (name: string) => `Type “${name}” to confirm`,
  confirm: 'Delete for good',
}
