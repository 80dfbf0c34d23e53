import { plural } from '../shared/plural.ts'

const them = (count: number): string => plural(count, 'conversación', 'conversaciones')

export const bulk = {
  bar: 'Acciones para las conversaciones seleccionadas',
  selected: (count: number) => plural(count, 'seleccionada', 'seleccionadas'),
  select: (title: string) => `Seleccionar ${title}`,
  selectAll: 'Seleccionar todas las que se muestran',
  clear: 'Quitar la selección',
  tag: 'Etiquetar',
  tagLabel: 'Etiqueta',
  tagHelp: 'Las conversaciones que ya la tienen no cambian.',
  tagConfirm: 'Añadir la etiqueta',
  tagTitle: (count: number) => `Añadir una etiqueta a ${them(count)}`,
  retranscribe: 'Volver a transcribir',
  download: 'Descargar transcripciones',
  remove: 'Eliminar',
  removeTitle: (count: number) => `¿Eliminar ${them(count)}?`,
  removeHelp:
    'Se borrarán el audio, las transcripciones, los resúmenes y las citas en todos los informes. Esto no se puede deshacer.',
  removeConfirm: (count: number) => `Eliminar ${them(count)} para siempre`,
  running: (done: number, total: number) => `${done.toLocaleString('es')} de ${total.toLocaleString('es')}…`,
  outcomes: {
    tag: (count: number) => `Etiqueta añadida a ${them(count)}.`,
    retranscribe: (count: number) =>
      `${count === 1 ? 'Se está' : 'Se están'} transcribiendo de nuevo ${them(count)}.`,
    download: (count: number) =>
      `${plural(count, 'transcripción descargada', 'transcripciones descargadas')}.`,
    remove: (count: number) => `${plural(count, 'conversación eliminada', 'conversaciones eliminadas')}.`,
  },
  failed: (count: number) =>
    count === 1
      ? 'No ha funcionado con 1 conversación, que sigue seleccionada:'
      : `No ha funcionado con ${them(count)}, que siguen seleccionadas:`,
  more: (count: number) => `y ${count.toLocaleString('es')} más`,
  fileName: 'transcripciones',
}
