import { plural } from '../shared/plural.ts'

export const project = {
  open: 'Grabación abierta',
  closed: 'Grabación cerrada',
  closedHelp: 'La página del enlace indica que el proyecto está cerrado.',
  openIt: 'Abrir el proyecto',
  closeIt: 'Cerrar el proyecto',
  share: 'Compartir',
  link: 'Enlace de grabación',
  linkHelp: 'Envíelo o muestre el código en la sala.',
  short: 'Enlace corto, para dictarlo o escribirlo en una pizarra',
  kiosk: 'Enlace para una tableta compartida',
  kioskHelp: 'Después de cada grabación, la página queda lista para la siguiente persona.',
  openLink: 'Abrir la página de grabación',
  qr: 'Código QR del enlace de grabación',
  downloadSvg: 'Descargar SVG',
  downloadPng: 'Descargar PNG',
  printSheet: 'Cartel para imprimir',
  latest: 'Últimas conversaciones',
  all: 'Todas las conversaciones',
  figures: {
    title: 'Actividad',
    conversations: 'Conversaciones',
    hours: 'Tiempo grabado',
    participants: 'Personas',
    participantsHelp: 'Nombres distintos; cada conversación sin nombre cuenta como una persona.',
    today: 'Terminadas hoy',
    recording: (count: number) => `${count.toLocaleString('es')} grabando ahora`,
    processing: (count: number) => `${count.toLocaleString('es')} en proceso`,
    failed: (count: number) => plural(count, 'fallida', 'fallidas'),
    perDay: 'Conversaciones por día',
    day: (date: string, count: number, length: string) =>
      `${date}: ${plural(count, 'conversación', 'conversaciones')}, ${length}`,
    chart: (count: number, days: number) =>
      `${plural(count, 'conversación', 'conversaciones')} en los últimos ${days} días`,
    upTo: (count: number) => `hasta ${count.toLocaleString('es')} al día`,
    now: 'hoy',
    none: 'Nada en los últimos 30 días. Comparta el enlace y aquí se verá la actividad.',
  },
}

export const poster = {
  title: 'Cartel para imprimir',
  help: 'Una página para una pared o una mesa. Cambie las líneas al idioma de su público; no se guardan.',
  first: 'Primera línea',
  second: 'Segunda línea',
  firstLine: 'Escanee el código con la cámara del teléfono o escriba la dirección.',
  secondLine: 'Puede hablar todo el tiempo que quiera. Sin aplicación y sin cuenta.',
  print: 'Imprimir',
}
