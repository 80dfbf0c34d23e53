import { plural } from './plural.ts'

export const conversations = {
  title: 'Conversaciones',
  search: 'Buscar en nombres, títulos y transcripciones',
  status: 'Estado',
  source: 'Origen',
  tag: 'Etiqueta',
  anyStatus: 'Cualquier estado',
  anySource: 'Cualquier origen',
  clear: 'Quitar filtros',
  none: 'Aún no hay conversaciones',
  noneHelp: 'Abra el enlace de grabación en un teléfono y diga unas palabras.',
  noMatch: 'Ninguna conversación coincide',
  noMatchHelp: 'Pruebe con menos filtros u otra palabra.',
  statuses: {
    recording: 'Grabando',
    transcribing: 'Transcribiendo',
    summarizing: 'Resumiendo',
    done: 'Terminada',
    failed: 'Fallida',
  },
  sources: { portal_audio: 'Grabada', portal_text: 'Escrita', upload: 'Subida' },
  columns: { conversation: 'Conversación', status: 'Estado', length: 'Duración', started: 'Inicio' },
  anonymous: 'Anónimo',
  loaded: (count: number) => plural(count, 'conversación', 'conversaciones'),
}
