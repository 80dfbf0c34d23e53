export const danger = {
  help: 'Avant de confirmer, vous voyez tout ce qui sera effacé.',
  open: 'Supprimer',
  typeName: (name: string) => `Tapez «\u00a0${name}\u00a0» pour confirmer`,
  confirm: 'Supprimer définitivement',
}
