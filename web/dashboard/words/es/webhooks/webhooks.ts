import { plural } from '../shared/plural.ts'

export const webhooks = {
  title: 'Webhooks',
  allEvents: 'Todos los eventos y sus campos',
  intro: 'Parley envía una solicitud firmada a su dirección cuando ocurre algo en este proyecto.',
  none: 'Aún no hay webhooks',
  noneHelp:
    'Añada la dirección de su sistema. Puede enviar una prueba enseguida, sin esperar a que ocurra nada.',
  create: 'Nuevo webhook',
  columns: { webhook: 'Webhook', health: 'Estado', last: 'Último intento' },
  never: 'Nunca',
  full: (max: number) => `Un proyecto puede tener ${max} webhooks. Elimine uno para añadir otro.`,
  tierTitle: 'Los webhooks forman parte del plan Changemaker',
  tierHelp: (tier: string) =>
    `Este espacio de trabajo tiene el plan ${tier}. Con Changemaker o Guardian, otros sistemas reciben avisos mediante solicitudes firmadas cuando una conversación empieza, se transcribe o se resume, y cuando un informe está listo. Para cambiar de plan, hable con el propietario de su organización.`,
  tierKept:
    'Los webhooks que ya existen se conservan. Los eventos quedan registrados en todos los planes y se pueden repetir más tarde.',
  tiers: {
    free: 'Free',
    innovator: 'Innovator',
    changemaker: 'Changemaker',
    guardian: 'Guardian',
  } as Record<string, string>,

  states: { new: 'Sin usar', ok: 'Funciona', failing: 'Con fallos', disabled: 'Desactivado' },
  failuresInRow: (count: number) => plural(count, 'fallo seguido', 'fallos seguidos'),
  missed: (count: number) =>
    `${count.toLocaleString('es')}${count >= 10_000 ? '+' : ''} ${count === 1 ? 'omitida' : 'omitidas'}`,
  reasons: {
    manual: 'Se desactivó a mano. Hasta que lo active, los eventos se registran como omitidos.',
    gone: 'El receptor devolvió 410 Gone y el webhook se desactivó. Revise la dirección y luego actívelo.',
    failing:
      'Ninguna entrega fue correcta durante 5 días y el webhook se desactivó. Repare el receptor, envíe una prueba y luego actívelo.',
    staff: 'Lo desactivó el personal del servicio. Solo el personal puede volver a activarlo.',
    secret_unreadable: 'Su secreto ya no se puede descifrar. Defina un nuevo secreto y luego actívelo.',
  },
  failingTitle: (count: number) =>
    count === 1 ? 'El último intento falló' : `Los últimos ${count.toLocaleString('es')} intentos fallaron`,
  lastResponse: (status: number) => `Última respuesta: ${status}`,
  lastSuccess: (time: string) => `Último éxito: ${time}`,
  failingHelp:
    'Parley lo sigue intentando: hasta 11 intentos en 76 horas para cada evento. Tras 5 fallos seguidos, envía las solicitudes de una en una hasta que una tenga éxito.',
  missedTitle: (count: number) => plural(count, 'entrega omitida', 'entregas omitidas'),
  missedHelp: 'Los eventos se conservan. Repítalos cuando el receptor vuelva a funcionar.',
  unsigned: 'Sin firma',
  unsignedHelp: 'Las solicitudes no llevan firma: el receptor no puede saber si vienen de Parley.',
  weak: 'Secreto débil',
  weakHelp: 'El secreto tiene menos de 16 caracteres.',

  form: {
    url: 'Dirección',
    urlHelp: 'Las solicitudes se envían aquí por POST',
    urlPlaceholder: 'https://example.org/hooks/parley',
    name: 'Nombre',
    nameHelp: 'Opcional; para distinguir los webhooks',
    events: 'Eventos',
    eventsHelp: 'De qué se avisa al receptor',
    payload: 'Contenido',
    payloads: { full: 'Todo', ids: 'Solo ID' },
    payloadHelp: {
      full: 'La solicitud incluye nombres, títulos, transcripción y resumen.',
      ids: 'La solicitud indica qué ha ocurrido. El receptor lee el contenido en la API.',
    },
    secret: 'Secreto',
    secretKinds: { generate: 'Generar', type: 'Escribir', none: 'Ninguno' },
    secretHelp: {
      generate: 'Se crea un secreto fuerte y se muestra una sola vez.',
      type: 'Se escribe aquí y en el receptor. No se vuelve a mostrar.',
      none: 'Las solicitudes no llevan firma. Cualquiera que conozca la dirección puede imitarlas.',
    },
    typed: 'Su secreto',
    removeSecret: 'Dejar de firmar',
    removeSecretTitle: '¿Dejar de firmar las solicitudes?',
    removeSecretHelp:
      'El secreto se elimina ahora. Un receptor que verifica las firmas rechazará todas las solicitudes a partir de este momento.',
    add: 'Crear el webhook',
    save: 'Guardar cambios',
    saved: 'Guardado',
    discard: 'Descartar cambios',
    http: 'Sin cifrar. El servicio solo acepta http si su operador lo permite.',
    errors: {
      url: 'Introduzca una dirección completa, por ejemplo https://example.org/hooks',
      scheme: 'La dirección debe empezar por https://',
      userinfo: 'La dirección no debe contener usuario ni contraseña',
      fragment: 'La dirección no debe contener una parte con #',
      long: 'La dirección es demasiado larga: como máximo 2048 caracteres',
      events: 'Elija al menos un evento',
      secretEmpty: 'Escriba un secreto o deje que Parley genere uno',
      secretBase64: 'Después de whsec_ debe haber base64 válido',
      secretNul: 'El secreto contiene un carácter que no se puede usar',
    },
  },
  eventNames: {
    'conversation.started': 'Conversación iniciada',
    'conversation.transcribed': 'Transcripción lista',
    'conversation.summarized': 'Resumen listo',
    'report.generated': 'Informe listo',
    'webhook.test': 'Prueba',
  } as Record<string, string>,

  secretOnceTitle: 'Guarde este secreto ahora',
  secretOnce: 'El receptor lo necesita para verificar las firmas. Solo se muestra una vez.',
  secretStored: 'Ya lo he guardado',

  tabs: { deliveries: 'Entregas', guide: 'Guía', settings: 'Ajustes' },
  more: 'Más acciones',
  enable: 'Activar',
  disable: 'Desactivar',
  disableTitle: '¿Desactivar este webhook?',
  disableHelp:
    'Mientras esté desactivado no se le envía nada. Las entregas pendientes y las nuevas quedan omitidas; se conservan y se pueden repetir.',
  remove: 'Eliminar',
  removeTitle: '¿Eliminar este webhook?',
  removeHelp:
    'Se cancelan sus entregas pendientes y su registro deja de estar accesible. Esto no se puede deshacer.',
  removeConfirm: 'Eliminar para siempre',

  rotate: 'Rotar el secreto',
  rotateHelp:
    'Las solicitudes se firman desde ahora con el nuevo secreto. Durante la transición llevan las dos firmas, así que puede cambiar el receptor sin perder ninguna entrega.',
  rotateUnsigned: 'Desde ahora, las solicitudes irán firmadas.',
  overlap: 'Transición',
  overlaps: {
    '0': 'Ninguna: el secreto anterior deja de valer ahora',
    '3600': '1 hora',
    '86400': '1 día',
    '604800': '7 días',
  },
  rotateNow: 'Rotar',
  rotated: 'Las solicitudes ya se firman con el nuevo secreto.',
  oldValidUntil: (time: string) => `El secreto anterior se sigue usando en paralelo hasta el ${time}.`,
  oldEnded: 'El secreto anterior ya no se usa.',

  test: 'Enviar una prueba',
  testHelp:
    'Se envía ahora una solicitud con datos de ejemplo, aunque el webhook esté desactivado. Su estado no cambia.',
  testEvent: 'Ejemplo de',
  testSend: 'Enviar',
  testAgain: 'Enviar otra vez',
  testOk: (status: number, ms: number) =>
    `El receptor respondió ${status} en ${ms.toLocaleString('es')}\u00a0ms`,
  testFailed: 'El receptor no aceptó la prueba',

  replay: 'Repetir eventos',
  replayHelp:
    'Vuelve a enviar los eventos de un periodo como entregas nuevas con los mismos ID de evento. Si fallan, se reintentan como siempre.',
  replayOnly: 'Cuáles',
  replayKinds: {
    undelivered: 'Fallidos y omitidos',
    failed: 'Solo fallidos',
    missed: 'Solo omitidos',
    all: 'Todos, también los ya entregados',
  },
  replayAllHelp: 'El receptor recibirá eventos que ya tiene. Puede reconocerlos por su ID.',
  replayStart: 'Iniciar la repetición',
  replayDisabled: 'Active primero el webhook: mientras esté desactivado no se pueden repetir eventos.',
  replayStates: {
    running: 'Repetición en curso',
    done: 'Repetición terminada',
    cancelled: 'Repetición cancelada',
  },
  replayProgress: (done: number, total: number) =>
    `Procesados: ${done.toLocaleString('es')} de ${total.toLocaleString('es')}`,
  replayFailed: (count: number) => plural(count, 'fallo', 'fallos'),
  replayNothing: 'No había nada que repetir en este periodo.',
  replayCancel: 'Cancelar la repetición',
  replayHide: 'Ocultar',
  since: 'Desde',
  until: 'Hasta',
  untilHelp: 'Vacío: hasta ahora',
}
