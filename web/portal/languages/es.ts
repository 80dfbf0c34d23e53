import type { Texts } from './texts.ts'

export const es: Texts = {
  language: 'Español',
  changeLanguage: 'Idioma',
  back: 'Atrás',
  next: 'Continuar',
  cancel: 'Cancelar',
  tryAgain: 'Reintentar',
  optional: 'opcional',
  required: 'Por favor, rellene este campo.',

  welcomeFrom: 'Una pregunta de {organisation}',
  welcomeStart: 'Empezar',
  welcomeHow: 'Cómo funciona',
  welcomeStepSpeak:
    'Hable todo el tiempo que quiera. Puede hacer una pausa en cualquier momento. También puede escribir.',
  welcomeStepText: 'Lo que dice se pasa a texto y lo lee {organisation}.',
  welcomeStepWithdraw: 'Más adelante puede retirarlo todo. Al final recibe un enlace para hacerlo.',
  privacy: 'Aviso de privacidad',
  welcomeNoAccount: 'No necesita una cuenta.',

  consentTitle: '¿Está de acuerdo?',
  consentTick: 'Sí, estoy de acuerdo.',
  consentNeeded: 'Marque la casilla si está de acuerdo. Sin su consentimiento no puede participar.',
  consentRead: 'Leer el texto',

  aboutTitle: 'Sobre usted',
  aboutName: 'Su nombre',
  aboutEmail: 'Su correo electrónico',
  aboutEmailInvalid: 'Esto no parece un correo electrónico.',
  aboutTags: '¿De qué se trata?',
  aboutSpokenLanguage: '¿En qué idioma va a hablar o escribir?',
  aboutAnyLanguage: 'Cualquier idioma',

  microphoneTitle: 'Pruebe su micrófono',
  microphoneAsk: 'Su navegador le preguntará si esta página puede usar el micrófono. Por favor, dé permiso.',
  microphoneAllow: 'Activar el micrófono',
  microphoneSpeak: 'Diga algo. La barra debería moverse.',
  microphoneWorks: 'El micrófono capta su voz.',
  microphoneQuiet: 'Se oye muy poco. Acérquese o elija otro micrófono.',
  microphoneLevel: 'Volumen',
  microphoneDevice: 'Micrófono',
  microphoneTest: 'Grabar 3 segundos y escuchar',
  microphoneTesting: 'Hable ahora…',
  microphonePlaying: 'Así suena la grabación…',
  microphoneStart: 'Empezar a grabar',
  typeInstead: 'Prefiero escribir',

  recordingTitle: 'Grabación',
  recordingSpeak: 'Grabando. Tómese su tiempo.',
  recordingPaused: 'En pausa',
  recordingStarting: 'Empezando…',
  recordingTime: 'Tiempo grabado',
  recordingPause: 'Pausa',
  recordingResume: 'Seguir',
  recordingDone: 'Terminar',
  recordingLiveText: 'Lo dicho hasta ahora',
  recordingLiveTextLater: 'Sus palabras aparecerán aquí unos segundos después de decirlas.',
  recordingMuted:
    'El teléfono ha apagado el micrófono, quizás por una llamada. La grabación seguirá cuando vuelva a estar activo.',
  recordingMicrophoneLost: 'El micrófono se ha desconectado. Buscando otro…',
  recordingGap:
    'Mientras la página estaba en segundo plano, su navegador dejó de grabar. Sin grabar: {time}.',
  recordingKeepOpen: 'Deje esta página abierta mientras habla.',

  stateSaved: 'Guardado en este dispositivo: {time}',
  stateSavedInMemory: 'Conservado en la página abierta: {time}',
  stateSent: 'Enviado: {time}',
  stateAllReceived: 'Se ha recibido todo hasta ahora',
  stateOffline: 'Sin conexión. Su grabación está guardada aquí y se enviará cuando vuelva la conexión.',
  stateOfflineInMemory: 'Sin conexión. Deje esta página abierta: su navegador no deja guardar la grabación.',
  stateMemoryOnly:
    'Su navegador no permite que esta página guarde nada (modo privado). Déjela abierta hasta que se haya recibido todo.',
  stateDiskFull:
    'No queda espacio en este dispositivo. La grabación sigue y se envía directamente. Deje la página abierta.',
  stateNotAccepted:
    'No aceptado por el servidor hasta ahora: {time}. Se conserva aquí y se enviará de nuevo al final.',
  lost: 'Se ha perdido una parte de su grabación ({time}). Se borró de este dispositivo antes de enviarse, quizás junto con los datos del navegador.',
  lostHelp: 'Lo que diga a partir de ahora se vuelve a guardar. Puede decir esa parte otra vez.',
  keptOnDevice:
    'Su grabación está a salvo en este dispositivo, aunque cierre la página. Para enviarla más tarde, vuelva a abrir el enlace.',
  keptWhileClosed:
    'Su grabación se queda en este dispositivo, aunque cierre la página. Si la organización vuelve a abrir el proyecto, abra otra vez el enlace para enviarla.',
  keptInPage: 'Su grabación solo está en esta página. Por favor, no la cierre.',
  keptTextOnDevice:
    'Su texto está a salvo en este dispositivo, aunque cierre la página. Para enviarlo más tarde, vuelva a abrir el enlace.',
  keptTextWhileClosed:
    'Su texto se queda en este dispositivo, aunque cierre la página. Si la organización vuelve a abrir el proyecto, abra otra vez el enlace para enviarlo.',
  keptTextInPage: 'Su texto solo está en esta página. Por favor, no la cierre.',
  keptRest:
    'El resto está a salvo en este dispositivo, aunque cierre la página. Para enviarlo más tarde, vuelva a abrir el enlace.',

  textTitle: 'Escriba lo que quiere decir',
  textLabel: 'Su texto',
  textSend: 'Enviar',

  reviewTitle: '¿Es esto lo que quería decir?',
  reviewExplain:
    'Sus palabras se envían mientras habla. Aquí puede escucharlas, añadir algo o eliminarlo todo.',
  reviewListen: 'Escuche su grabación',
  reviewText: 'Lo que ha escrito',
  reviewEditText: 'Cambiar el texto',
  play: 'Escuchar',
  playPosition: 'Posición',
  reviewSend: 'Enviar y terminar',
  reviewAdd: 'Añadir algo',
  reviewAgain: 'Empezar de nuevo',
  reviewRemove: 'Eliminar',
  reviewRemoveTitle: '¿Eliminar esta grabación?',
  reviewRemoveText: 'Se borrará todo lo que ha dicho, aquí y en el servidor. Esto no se puede deshacer.',
  reviewRemoveConfirm: 'Sí, eliminar',
  reviewAgainTitle: '¿Empezar de nuevo?',
  reviewAgainText: 'Se borrará lo grabado hasta ahora, aquí y en el servidor. Después podrá volver a grabar.',
  reviewAgainConfirm: 'Borrar y volver a grabar',
  removed: 'Su grabación se ha eliminado. No queda nada de ella.',

  sendingTitle: 'Enviando su grabación',
  sendingTextTitle: 'Enviando su texto',
  sendingProgress: 'Partes recibidas: {sent} de {all}',
  sendingKeepOpen: 'Por favor, deje esta página abierta hasta que se haya recibido todo.',

  thanksTitle: '¡Gracias!',
  thanksReceived: 'Hemos recibido todo lo que ha dicho.',
  thanksTextReceived: 'Hemos recibido su texto.',
  thanksExcept: 'Hemos recibido su grabación, excepto una parte ({time}).',
  thanksCode: 'Su código',
  thanksCodeWhy: 'Indique este código si tiene alguna pregunta sobre su grabación.',
  thanksTextCodeWhy: 'Indique este código si tiene alguna pregunta sobre su texto.',
  thanksWithdraw: '¿Ha cambiado de idea?',
  thanksWithdrawWhy:
    'Con este enlace puede borrar su grabación en cualquier momento. Guárdelo bien: solo se muestra aquí.',
  thanksTextWithdrawWhy:
    'Con este enlace puede borrar su texto en cualquier momento. Guarde bien el enlace: solo se muestra aquí.',
  thanksScan: 'Escanee este código con su teléfono. El enlace se queda en su teléfono, no aquí.',
  thanksCopy: 'Copiar enlace',
  thanksCopied: 'Copiado',
  thanksShare: 'Compartir o enviármelo',
  thanksMail: 'Enviar por correo',
  thanksMailSubject: 'Enlace para retirar mi grabación',
  thanksTextMailSubject: 'Enlace para retirar mi texto',
  thanksAnother: 'Participar otra vez',
  kioskNext: 'La página estará lista para la siguiente persona en {seconds}\u00a0s.',
  kioskNow: 'Siguiente persona',
  kioskKept: 'Todo está guardado en este dispositivo.',
  kioskKeptNext:
    'En este momento no hay conexión. Sus palabras se enviarán cuando vuelva la conexión, y después se borrarán de aquí.',
  kioskRefused:
    'No se pierde nada: todo queda en este dispositivo. Por favor, avise a la persona que se ocupa de él.',
  kioskWaiting: 'Grabaciones y textos anteriores que esperan una conexión: {count}',
  kioskNotAccepted:
    'Grabaciones y textos anteriores que el servidor no ha aceptado y que siguen en este dispositivo: {count}',
  kioskLost:
    'Grabaciones anteriores de las que se borró una parte en este dispositivo antes de enviarse: {count}',
  kioskTell: 'Por favor, avise a la persona que se ocupa de este dispositivo.',

  resumeTitle: 'Hay una grabación sin enviar',
  resumeTextTitle: 'Hay un texto sin enviar',
  resumeText: 'En este dispositivo todavía hay una grabación del {date}. Duración: {time}.',
  resumeTextOnly: 'En este dispositivo todavía hay un texto del {date}.',
  resumeContinue: 'Seguir grabando',
  resumeSend: 'Enviarla así',
  resumeDelete: 'Eliminarla',
  resumePartTitle: 'No se ha recibido una parte de su grabación',
  resumePartDelete: 'Se borrará solo en este dispositivo. Lo que se ha recibido queda en la organización.',
  resumeDraftTitle: 'Ha empezado a escribir algo',
  resumeWrite: 'Seguir escribiendo',
  resumeDraftDelete: '¿Eliminar este texto?',
  removeHere: 'Se borrará de este dispositivo. Esto no se puede deshacer.',

  withdrawTitle: 'Retirar lo que ha dicho o escrito',
  withdrawText:
    'Se borrará todo lo que ha dicho o escrito: el audio, la transcripción, el resumen y las citas en los informes. Esto no se puede deshacer.',
  withdrawButton: 'Retirar ahora',
  withdrawnTitle: 'Retirado',
  withdrawDone: 'Se está borrando todo lo que ha dicho o escrito.',
  withdrawInvalid: 'Este enlace no es válido, o ya se ha retirado todo.',
  withdrawInvalidHelp:
    'Si todavía tiene alguna pregunta, diríjase a la organización e indique el código de su comprobante.',

  errorBlocked: 'El micrófono está bloqueado',
  errorBlockedHelp:
    'Esta página no tiene permiso para usar el micrófono. Abra los ajustes de la página (el símbolo junto a la dirección), permita el micrófono y vuelva a intentarlo.',
  errorNoMicrophone: 'No se ha encontrado ningún micrófono',
  errorNoMicrophoneHelp:
    'Conecte un micrófono o unos auriculares con micrófono y vuelva a intentarlo, o escriba lo que quiere decir.',
  errorInUse: 'El micrófono está ocupado',
  errorInUseHelp:
    'Otra aplicación está usando el micrófono, quizás por una llamada. Ciérrela y vuelva a intentarlo.',
  errorNotSecure: 'Esta página no puede usar el micrófono',
  errorNotSecureHelp:
    'Los navegadores solo permiten el micrófono en páginas seguras. Abra el enlace con https:// al principio, o avise a la persona que se lo dio.',
  errorNoRecorder: 'Este navegador no puede grabar',
  errorNoRecorderHelp:
    'Use una versión más nueva de Chrome, Edge, Firefox o Safari, o escriba lo que quiere decir.',
  errorWrongLink: 'Este enlace no funciona',
  errorWrongLinkHelp: 'Compruebe que la dirección está completa, o pregunte a la persona que se la dio.',
  errorClosed: 'Este proyecto está cerrado',
  errorClosedHelp: 'Ya no se puede participar. Si todavía quiere decir algo, pregunte a la organización.',
  errorClosedUnsent:
    'Este proyecto se cerró antes de que se pudiera enviar su grabación. Puede guardarla como archivo y entregarla a la organización.',
  errorClosedTextUnsent:
    'Este proyecto se cerró antes de que se pudiera enviar su texto. Puede guardarlo como archivo y entregarlo a la organización.',
  errorProjectDeleted: 'Este proyecto ya no existe',
  errorProjectDeletedHelp:
    'Se eliminó antes de que se enviara todo. Puede guardar como archivo lo que está aquí y entregarlo a la organización.',
  errorLimit: 'Ya no se puede guardar más',
  errorLimitHelp:
    'Este proyecto ha llegado a su límite. Por favor, avise a la organización y vuelva a intentarlo más tarde.',
  errorWithdrawn: 'Esta grabación se ha retirado',
  errorWithdrawnHelp:
    'Se ha borrado en el servidor. Puede eliminar lo que queda aquí o guardarlo como archivo.',
  errorWithdrawnText: 'Este texto se ha retirado',
  errorWithdrawnTextHelp:
    'Se ha borrado en el servidor. Puede eliminar lo que queda aquí o guardarlo como archivo.',
  errorServer: 'El servidor no responde',
  errorServerHelp: 'La página sigue intentándolo sola.',
  errorNotErased: 'Todavía no se ha eliminado nada',
  errorNotErasedHelp:
    'No se ha podido contactar con el servidor. Compruebe su conexión a internet y vuelva a intentarlo.',
  errorOffline: 'Sin conexión',
  errorOfflineHelp: 'Compruebe su conexión a internet. La página vuelve a intentarlo sola.',
  errorRefused: 'El servidor no ha aceptado el envío',
  errorRefusedHelp:
    'Puede volver a intentarlo, o guardar la grabación como archivo y entregarla a la organización.',
  errorRefusedTextHelp:
    'Puede volver a intentarlo, o guardar el texto como archivo y entregarlo a la organización.',
  errorConsentChanged: 'El texto de consentimiento ha cambiado',
  errorConsentChangedHelp: 'Por favor, lea el texto nuevo. Si está de acuerdo, su grabación se enviará.',
  errorConsentChangedTextHelp:
    'Por favor, lea el texto nuevo. Si está de acuerdo, se enviará el texto que ha escrito.',
  saveFile: 'Guardar como archivo',
  saveTextFile: 'Guardar el texto como archivo',
}
