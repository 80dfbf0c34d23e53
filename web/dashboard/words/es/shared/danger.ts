export const danger = {
  help: 'Antes de confirmar, verá todo lo que se borrará.',
  open: 'Eliminar',
  typeName: (name: string) => `Escriba «${name}» para confirmar`,
  confirm: 'Eliminar para siempre',
}
