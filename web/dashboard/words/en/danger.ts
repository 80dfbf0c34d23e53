export const danger = {
  title: 'Danger zone',
  typeName: (name: string) => `Type “${name}” to confirm`,
  confirm: 'Delete for good',
}
