export const danger = {
  help: 'Voordat je bevestigt, zie je wat er allemaal wordt gewist.',
  open: 'Verwijderen',
  typeName: (name: string) => `Typ ‘${name}’ om te bevestigen`,
  confirm: 'Definitief wissen',
}
