import type { Texts } from './texts.ts'

export const it: Texts = {
  language: 'Italiano',
  changeLanguage: 'Lingua',
  back: 'Indietro',
  next: 'Continua',
  cancel: 'Annulla',
  tryAgain: 'Riprova',
  optional: 'facoltativo',
  required: 'Compili questo campo, per favore.',

  welcomeFrom: '{organisation} ha una domanda per Lei',
  welcomeStart: 'Inizia',
  welcomeHow: 'Come funziona',
  welcomeStepSpeak: 'Può parlare quanto vuole e fare una pausa in qualsiasi momento. Può anche scrivere.',
  welcomeStepText: 'Le sue parole diventano un testo. Lo legge {organisation}.',
  welcomeStepWithdraw: 'Più tardi può ritirare tutto. Alla fine riceve un link per farlo.',
  privacy: 'Informativa sulla privacy',
  welcomeNoAccount: 'Non serve un account.',

  consentTitle: 'È d’accordo?',
  consentTick: 'Sì, sono d’accordo.',
  consentNeeded: 'Se è d’accordo, metta la spunta. Senza il suo consenso non può partecipare.',
  consentRead: 'Leggi il testo',

  aboutTitle: 'Qualcosa su di Lei',
  aboutName: 'Il suo nome',
  aboutEmail: 'Il suo indirizzo e-mail',
  aboutEmailInvalid: 'Non sembra un indirizzo e-mail.',
  aboutTags: 'Di che cosa si tratta?',
  aboutSpokenLanguage: 'In che lingua parlerà o scriverà?',
  aboutAnyLanguage: 'Qualsiasi lingua',

  microphoneTitle: 'Provi il microfono',
  microphoneAsk: 'Il browser chiederà se questa pagina può usare il microfono. Dia il permesso, per favore.',
  microphoneAllow: 'Attiva il microfono',
  microphoneSpeak: 'Dica qualcosa. La barra dovrebbe muoversi.',
  microphoneWorks: 'Il microfono sente la sua voce.',
  microphoneQuiet: 'Si sente molto poco. Si avvicini o scelga un altro microfono.',
  microphoneLevel: 'Volume',
  microphoneDevice: 'Microfono',
  microphoneTest: 'Registra 3 secondi e ascolta',
  microphoneTesting: 'Parli adesso…',
  microphonePlaying: 'Ecco la registrazione…',
  microphoneStart: 'Inizia a registrare',
  typeInstead: 'Preferisco scrivere',

  recordingTitle: 'Registrazione',
  recordingSpeak: 'Registrazione in corso. Faccia con calma.',
  recordingPaused: 'In pausa',
  recordingStarting: 'Un attimo…',
  recordingTime: 'Tempo registrato',
  recordingPause: 'Pausa',
  recordingResume: 'Riprendi',
  recordingDone: 'Ho finito',
  recordingLiveText: 'Quello che è stato detto finora',
  recordingLiveTextLater: 'Qui vedrà le sue parole, qualche secondo dopo averle dette.',
  recordingMuted:
    'Il telefono ha spento il microfono, forse per una chiamata. La registrazione riprende appena il microfono torna attivo.',
  recordingMicrophoneLost: 'Il microfono si è scollegato. Ne cerchiamo un altro…',
  recordingGap:
    'Mentre la pagina era in secondo piano, il browser ha smesso di registrare. Tempo non registrato: {time}.',
  recordingKeepOpen: 'Tenga aperta questa pagina mentre parla.',

  stateSaved: 'Salvato su questo dispositivo: {time}',
  stateSavedInMemory: 'Conservato nella pagina aperta: {time}',
  stateSent: 'Inviato: {time}',
  stateAllReceived: 'Finora è arrivato tutto',
  stateOffline:
    'Nessuna connessione. La registrazione è salvata qui e verrà inviata quando torna la connessione.',
  stateOfflineInMemory:
    'Nessuna connessione. Tenga aperta questa pagina: il browser non permette di salvare la registrazione.',
  stateMemoryOnly:
    'Il browser non permette a questa pagina di salvare nulla (navigazione privata). Tenga aperta la pagina finché non è arrivato tutto.',
  stateDiskFull:
    'La memoria di questo dispositivo è piena. La registrazione continua e viene inviata direttamente. Tenga aperta la pagina.',
  stateNotAccepted: 'Finora non accettato dal server: {time}. Resta qui e verrà inviato di nuovo alla fine.',
  lost: 'Una parte della sua registrazione ({time}) è andata persa. È stata cancellata da questo dispositivo prima dell’invio, forse insieme ai dati del browser.',
  lostHelp: 'Quello che dice da adesso in poi viene di nuovo salvato. Può ripetere quella parte.',
  keptOnDevice:
    'La sua registrazione è al sicuro su questo dispositivo, anche se chiude la pagina. Per inviarla più tardi, riapra il link.',
  keptWhileClosed:
    'La sua registrazione resta su questo dispositivo, anche se chiude la pagina. Se l’organizzazione riapre il progetto, riapra il link per inviarla.',
  keptInPage: 'La sua registrazione è solo in questa pagina. Per favore, non la chiuda.',
  keptTextOnDevice:
    'Il suo testo è al sicuro su questo dispositivo, anche se chiude la pagina. Per inviarlo più tardi, riapra il link.',
  keptTextWhileClosed:
    'Il suo testo resta su questo dispositivo, anche se chiude la pagina. Se l’organizzazione riapre il progetto, riapra il link per inviarlo.',
  keptTextInPage: 'Il suo testo è solo in questa pagina. Per favore, non la chiuda.',
  keptRest:
    'Il resto è al sicuro su questo dispositivo, anche se chiude la pagina. Per inviarlo più tardi, riapra il link.',

  textTitle: 'Scriva quello che vuole dire',
  textLabel: 'Il suo testo',
  textSend: 'Invia',

  reviewTitle: 'È questo che voleva dire?',
  reviewExplain:
    'Le sue parole vengono inviate mentre parla. Qui può ascoltarle, aggiungere qualcosa o eliminare tutto.',
  reviewListen: 'Ascolti la sua registrazione',
  reviewText: 'Quello che ha scritto',
  reviewEditText: 'Modifica il testo',
  play: 'Ascolta',
  playPosition: 'Posizione',
  reviewSend: 'Invia e concludi',
  reviewAdd: 'Aggiungi qualcosa',
  reviewAgain: 'Ricomincia',
  reviewRemove: 'Elimina',
  reviewRemoveTitle: 'Eliminare questa registrazione?',
  reviewRemoveText:
    'Tutto quello che ha detto viene cancellato, qui e sul server. Non si può tornare indietro.',
  reviewRemoveConfirm: 'Sì, elimina',
  reviewAgainTitle: 'Ricominciare?',
  reviewAgainText:
    'Quello che ha registrato finora viene cancellato, qui e sul server. Poi può registrare di nuovo.',
  reviewAgainConfirm: 'Cancella e ricomincia',
  removed: 'La sua registrazione è stata eliminata. Non ne resta nulla.',

  sendingTitle: 'Invio della registrazione',
  sendingTextTitle: 'Invio del testo',
  sendingProgress: 'Parti ricevute: {sent} di {all}',
  sendingKeepOpen: 'Per favore, tenga aperta questa pagina finché non è arrivato tutto.',

  thanksTitle: 'Grazie!',
  thanksReceived: 'Tutto quello che ha detto è arrivato.',
  thanksTextReceived: 'Il suo testo è arrivato.',
  thanksExcept: 'La sua registrazione è arrivata, tranne una parte ({time}).',
  thanksCode: 'Il suo codice',
  thanksCodeWhy: 'Se ha una domanda sulla sua registrazione, indichi questo codice.',
  thanksTextCodeWhy: 'Se ha una domanda sul suo testo, indichi questo codice.',
  thanksWithdraw: 'Ha cambiato idea?',
  thanksWithdrawWhy:
    'Con questo link può cancellare la registrazione in qualsiasi momento. Lo conservi: si vede solo qui.',
  thanksTextWithdrawWhy:
    'Con questo link può cancellare il suo testo in qualsiasi momento. Conservi il link: si vede solo qui.',
  thanksScan: 'Inquadri questo codice con il telefono. Il link resta sul suo telefono, non qui.',
  thanksCopy: 'Copia link',
  thanksCopied: 'Copiato',
  thanksShare: 'Condividi o inviami il link',
  thanksMail: 'Invia per e-mail',
  thanksMailSubject: 'Link per ritirare la mia registrazione',
  thanksTextMailSubject: 'Link per ritirare il mio testo',
  thanksAnother: 'Partecipa di nuovo',
  kioskNext: 'La pagina sarà pronta per la prossima persona tra {seconds}\u00a0s.',
  kioskNow: 'Prossima persona',
  kioskKept: 'È tutto salvato su questo dispositivo.',
  kioskKeptNext:
    'Al momento non c’è connessione. Le sue parole saranno inviate appena torna la connessione, e poi cancellate da qui.',
  kioskRefused:
    'Non va perso nulla: tutto resta su questo dispositivo. Per favore, avvisi la persona che se ne occupa.',
  kioskWaiting: 'Registrazioni e testi precedenti in attesa di connessione: {count}',
  kioskNotAccepted:
    'Registrazioni e testi precedenti che il server non ha accettato e che restano su questo dispositivo: {count}',
  kioskLost:
    'Registrazioni precedenti di cui una parte è stata cancellata da questo dispositivo prima dell’invio: {count}',
  kioskTell: 'Per favore, avvisi la persona che si occupa di questo dispositivo.',

  resumeTitle: 'C’è una registrazione non inviata',
  resumeTextTitle: 'C’è un testo non inviato',
  resumeText: 'Su questo dispositivo c’è ancora una registrazione ({date}). Durata: {time}.',
  resumeTextOnly: 'Su questo dispositivo c’è ancora un testo ({date}).',
  resumeContinue: 'Continua a registrare',
  resumeSend: 'Invia così com’è',
  resumeDelete: 'Elimina',
  resumePartTitle: 'Una parte della sua registrazione non è arrivata',
  resumePartDelete:
    'Viene cancellata solo su questo dispositivo. Quello che è arrivato resta all’organizzazione.',
  resumeDraftTitle: 'Ha iniziato a scrivere qualcosa',
  resumeWrite: 'Continua a scrivere',
  resumeDraftDelete: 'Eliminare questo testo?',
  removeHere: 'Verrà cancellato tutto da questo dispositivo. Non si può tornare indietro.',

  withdrawTitle: 'Ritirare quello che ha detto o scritto',
  withdrawText:
    'Tutto quello che ha detto o scritto verrà cancellato: audio, trascrizione, riassunto e citazioni nei report. Non si può tornare indietro.',
  withdrawButton: 'Ritira ora',
  withdrawnTitle: 'Ritirato',
  withdrawDone: 'Stiamo cancellando tutto quello che ha detto o scritto.',
  withdrawInvalid: 'Questo link non è valido, oppure è già stato ritirato tutto.',
  withdrawInvalidHelp:
    'Se ha ancora una domanda, si rivolga all’organizzazione e indichi il codice della ricevuta.',

  errorBlocked: 'Il microfono è bloccato',
  errorBlockedHelp:
    'Questa pagina non può usare il microfono. Apra le impostazioni della pagina (il simbolo accanto all’indirizzo), consenta il microfono e riprovi.',
  errorNoMicrophone: 'Nessun microfono trovato',
  errorNoMicrophoneHelp:
    'Colleghi un microfono o una cuffia con microfono e riprovi, oppure scriva quello che vuole dire.',
  errorInUse: 'Il microfono è già in uso',
  errorInUseHelp: 'Un’altra app sta usando il microfono, forse per una chiamata. La chiuda e riprovi.',
  errorNotSecure: 'Questa pagina non può usare il microfono',
  errorNotSecureHelp:
    'I browser consentono il microfono solo sulle pagine sicure. Apra il link con https:// all’inizio, o avvisi la persona che gliel’ha dato.',
  errorNoRecorder: 'Questo browser non può registrare',
  errorNoRecorderHelp:
    'Usi una versione più recente di Chrome, Edge, Firefox o Safari, oppure scriva quello che vuole dire.',
  errorWrongLink: 'Questo link non funziona',
  errorWrongLinkHelp: 'Controlli che l’indirizzo sia completo, o chieda alla persona che gliel’ha dato.',
  errorClosed: 'Questo progetto è chiuso',
  errorClosedHelp:
    'Non è più possibile partecipare. Se vuole ancora dire qualcosa, si rivolga all’organizzazione.',
  errorClosedUnsent:
    'Questo progetto è stato chiuso prima che la sua registrazione potesse partire. Può salvarla come file e darla all’organizzazione.',
  errorClosedTextUnsent:
    'Questo progetto è stato chiuso prima che il suo testo potesse partire. Può salvarlo come file e darlo all’organizzazione.',
  errorProjectDeleted: 'Questo progetto non esiste più',
  errorProjectDeletedHelp:
    'È stato eliminato prima che tutto fosse inviato. Può salvare come file quello che è qui e darlo all’organizzazione.',
  errorLimit: 'Non c’è più spazio',
  errorLimitHelp:
    'Questo progetto ha raggiunto il limite. Per favore, avvisi l’organizzazione e riprovi più tardi.',
  errorWithdrawn: 'Questa registrazione è stata ritirata',
  errorWithdrawnHelp:
    'È stata cancellata dal server. Quello che resta qui si può eliminare o salvare come file.',
  errorWithdrawnText: 'Questo testo è stato ritirato',
  errorWithdrawnTextHelp:
    'È stato cancellato dal server. Quello che resta qui si può eliminare o salvare come file.',
  errorServer: 'Il server non risponde',
  errorServerHelp: 'La pagina continua a provare da sola.',
  errorNotErased: 'Non è stato ancora eliminato nulla',
  errorNotErasedHelp: 'Il server non è raggiungibile. Controlli la connessione a internet e riprovi.',
  errorOffline: 'Nessuna connessione',
  errorOfflineHelp: 'Controlli la connessione a internet. La pagina riprova da sola.',
  errorRefused: 'Il server non ha accettato l’invio',
  errorRefusedHelp: 'Può riprovare, oppure salvare la registrazione come file e darla all’organizzazione.',
  errorRefusedTextHelp: 'Può riprovare, oppure salvare il testo come file e darlo all’organizzazione.',
  errorConsentChanged: 'Il testo del consenso è cambiato',
  errorConsentChangedHelp:
    'Per favore, legga il nuovo testo. Se è d’accordo, la registrazione viene inviata.',
  errorConsentChangedTextHelp:
    'Per favore, legga il nuovo testo. Se è d’accordo, il testo che ha scritto viene inviato.',
  saveFile: 'Salva la registrazione come file',
  saveTextFile: 'Salva il testo come file',
}
