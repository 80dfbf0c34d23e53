import { plural } from '../shared/plural.ts'

export const uploads = {
  choose: 'Subir audio',
  title: 'Subidas',
  drop: 'Suelte archivos de audio para subirlos',
  help: (max: string) =>
    `Grabaciones en cualquier formato habitual, de hasta ${max} cada una. Cada archivo se convierte en una conversación.`,
  states: {
    queued: 'A la espera de los archivos anteriores',
    sending: 'Subiendo',
    waiting: 'Continuará cuando vuelva la conexión',
    done: 'Subido',
    failed: 'No se ha subido',
  },
  progress: (name: string) => `Progreso de ${name}`,
  sent: (sent: string, total: string) => `${sent} de ${total}`,
  interrupted: 'Interrumpido. Elija otra vez el mismo archivo para continuar.',
  open: 'Abrir',
  cancel: (name: string) => `Cancelar la subida de ${name}`,
  cancelShort: 'Cancelar',
  remove: (name: string) => `Quitar ${name} de la lista`,
  removeShort: 'Quitar',
  forget: 'Olvidar',
  clear: 'Vaciar la lista',
  doneCount: (count: number) => plural(count, 'archivo subido', 'archivos subidos'),
}
