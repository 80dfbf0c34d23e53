import type { Texts } from './texts.ts'

export const de: Texts = {
  language: 'Deutsch',
  changeLanguage: 'Sprache',
  back: 'Zurück',
  next: 'Weiter',
  cancel: 'Abbrechen',
  tryAgain: 'Erneut versuchen',
  optional: 'freiwillig',
  required: 'Bitte füllen Sie dieses Feld aus.',

  welcomeFrom: 'Eine Frage von: {organisation}',
  welcomeStart: 'Los geht’s',
  welcomeHow: 'So geht es',
  welcomeStepSpeak:
    'Sie sprechen, so lange Sie möchten. Eine Pause ist jederzeit möglich. Sie können auch schreiben.',
  welcomeStepText: 'Aus Ihren Worten wird ein Text. Diesen Text liest {organisation}.',
  welcomeStepWithdraw: 'Sie können später alles zurückziehen. Dafür bekommen Sie am Ende einen Link.',
  privacy: 'Datenschutzhinweise',
  welcomeNoAccount: 'Sie brauchen kein Konto.',

  consentTitle: 'Sind Sie einverstanden?',
  consentTick: 'Ja, ich bin einverstanden.',
  consentNeeded:
    'Setzen Sie das Häkchen, wenn Sie einverstanden sind. Ohne Ihr Einverständnis können Sie nicht teilnehmen.',
  consentRead: 'Text lesen',

  aboutTitle: 'Über Sie',
  aboutName: 'Ihr Name',
  aboutEmail: 'Ihre E-Mail-Adresse',
  aboutEmailInvalid: 'Das sieht nicht wie eine E-Mail-Adresse aus.',
  aboutTags: 'Worum geht es?',
  aboutSpokenLanguage: 'In welcher Sprache sprechen oder schreiben Sie?',
  aboutAnyLanguage: 'Jede Sprache',

  microphoneTitle: 'Mikrofon testen',
  microphoneAsk:
    'Ihr Browser fragt gleich, ob diese Seite das Mikrofon benutzen darf. Bitte erlauben Sie es.',
  microphoneAllow: 'Mikrofon einschalten',
  microphoneSpeak: 'Sagen Sie etwas. Der Balken sollte sich bewegen.',
  microphoneWorks: 'Ihre Stimme kommt an.',
  microphoneQuiet: 'Es ist sehr leise. Gehen Sie näher heran oder wählen Sie ein anderes Mikrofon.',
  microphoneLevel: 'Lautstärke',
  microphoneDevice: 'Mikrofon',
  microphoneTest: '3 Sekunden aufnehmen und anhören',
  microphoneTesting: 'Jetzt sprechen\u00a0…',
  microphonePlaying: 'So klingt die Aufnahme\u00a0…',
  microphoneStart: 'Aufnahme starten',
  typeInstead: 'Lieber schreiben',

  recordingTitle: 'Aufnahme',
  recordingSpeak: 'Die Aufnahme läuft. Lassen Sie sich Zeit.',
  recordingPaused: 'Die Aufnahme ist angehalten',
  recordingStarting: 'Gleich geht es los\u00a0…',
  recordingTime: 'Aufgenommene Zeit',
  recordingPause: 'Pause',
  recordingResume: 'Fortsetzen',
  recordingDone: 'Fertig',
  recordingLiveText: 'Bisher gesagt',
  recordingLiveTextLater: 'Hier erscheinen Ihre Worte, ein paar Sekunden nachdem Sie gesprochen haben.',
  recordingMuted:
    'Das Handy hat das Mikrofon ausgeschaltet, vielleicht wegen eines Anrufs. Die Aufnahme geht weiter, sobald das Mikrofon wieder an ist.',
  recordingMicrophoneLost: 'Das Mikrofon wurde getrennt. Wir suchen ein anderes\u00a0…',
  recordingGap:
    'Während die Seite im Hintergrund war, hat Ihr Browser die Aufnahme unterbrochen. Es fehlt: {time}.',
  recordingKeepOpen: 'Lassen Sie diese Seite offen, während Sie sprechen.',

  stateSaved: 'Auf diesem Gerät gespeichert: {time}',
  stateSavedInMemory: 'In der offenen Seite: {time}',
  stateSent: 'Gesendet: {time}',
  stateAllReceived: 'Alles bisher ist angekommen',
  stateOffline:
    'Keine Verbindung. Ihre Aufnahme ist hier gespeichert und wird gesendet, sobald die Verbindung wieder da ist.',
  stateOfflineInMemory:
    'Keine Verbindung. Lassen Sie diese Seite offen: Ihr Browser erlaubt ihr nicht, die Aufnahme zu speichern.',
  stateMemoryOnly:
    'Ihr Browser erlaubt dieser Seite nicht, etwas zu speichern (privater Modus). Lassen Sie die Seite offen, bis alles angekommen ist.',
  stateDiskFull:
    'Der Speicher dieses Geräts ist voll. Die Aufnahme geht weiter und wird direkt gesendet. Lassen Sie die Seite offen.',
  stateNotAccepted:
    'Vom Server bisher nicht angenommen: {time}. Das bleibt hier gespeichert und wird am Ende noch einmal gesendet.',
  lost: 'Ein Teil Ihrer Aufnahme ({time}) fehlt. Er wurde von diesem Gerät gelöscht, bevor er gesendet war, vielleicht mit den Daten des Browsers.',
  lostHelp: 'Was Sie von jetzt an sagen, wird wieder gespeichert. Sie können diesen Teil noch einmal sagen.',
  keptOnDevice:
    'Ihre Aufnahme ist auf diesem Gerät sicher, auch wenn Sie die Seite schließen. Öffnen Sie den Link später noch einmal, um sie zu senden.',
  keptWhileClosed:
    'Ihre Aufnahme bleibt auf diesem Gerät, auch wenn Sie die Seite schließen. Wenn die Organisation das Projekt fortsetzt, öffnen Sie den Link noch einmal, um die Aufnahme zu senden.',
  keptInPage: 'Ihre Aufnahme ist nur in dieser Seite. Bitte schließen Sie die Seite nicht.',
  keptTextOnDevice:
    'Ihr Text ist auf diesem Gerät sicher, auch wenn Sie die Seite schließen. Öffnen Sie den Link später noch einmal, um ihn zu senden.',
  keptTextWhileClosed:
    'Ihr Text bleibt auf diesem Gerät, auch wenn Sie die Seite schließen. Wenn die Organisation das Projekt fortsetzt, öffnen Sie den Link noch einmal, um den Text zu senden.',
  keptTextInPage: 'Ihr Text ist nur in dieser Seite. Bitte schließen Sie die Seite nicht.',
  keptRest:
    'Der Rest ist auf diesem Gerät sicher, auch wenn Sie die Seite schließen. Öffnen Sie den Link später noch einmal, um ihn zu senden.',

  textTitle: 'Schreiben Sie, was Sie sagen möchten',
  textLabel: 'Ihr Text',
  textSend: 'Senden',

  reviewTitle: 'Ist es das, was Sie sagen wollten?',
  reviewExplain:
    'Ihre Worte werden schon beim Sprechen gesendet. Hier können Sie alles anhören, etwas ergänzen oder alles löschen.',
  reviewListen: 'Ihre Aufnahme anhören',
  reviewText: 'Das haben Sie geschrieben',
  reviewEditText: 'Text ändern',
  play: 'Anhören',
  playPosition: 'Stelle in der Aufnahme',
  reviewSend: 'Senden und abschließen',
  reviewAdd: 'Etwas ergänzen',
  reviewAgain: 'Neu anfangen',
  reviewRemove: 'Löschen',
  reviewRemoveTitle: 'Diese Aufnahme löschen?',
  reviewRemoveText:
    'Alles, was Sie gesagt haben, wird gelöscht: hier und auf dem Server. Das lässt sich nicht rückgängig machen.',
  reviewRemoveConfirm: 'Ja, löschen',
  reviewAgainTitle: 'Neu anfangen?',
  reviewAgainText:
    'Die bisherige Aufnahme wird gelöscht, hier und auf dem Server. Danach können Sie neu aufnehmen.',
  reviewAgainConfirm: 'Löschen und neu aufnehmen',
  removed: 'Ihre Aufnahme wurde gelöscht. Es ist nichts davon übrig.',

  sendingTitle: 'Ihre Aufnahme wird gesendet',
  sendingTextTitle: 'Ihr Text wird gesendet',
  sendingProgress: 'Teile angekommen: {sent} von {all}',
  sendingKeepOpen: 'Bitte lassen Sie diese Seite offen, bis alles angekommen ist.',

  thanksTitle: 'Vielen Dank!',
  thanksReceived: 'Alles, was Sie gesagt haben, ist angekommen.',
  thanksTextReceived: 'Ihr Text ist angekommen.',
  thanksExcept: 'Ihre Aufnahme ist angekommen, bis auf einen Teil ({time}).',
  thanksCode: 'Ihr Code',
  thanksCodeWhy: 'Nennen Sie diesen Code, wenn Sie eine Frage zu Ihrer Aufnahme haben.',
  thanksTextCodeWhy: 'Nennen Sie diesen Code, wenn Sie eine Frage zu Ihrem Text haben.',
  thanksWithdraw: 'Haben Sie es sich anders überlegt?',
  thanksWithdrawWhy:
    'Mit diesem Link können Sie Ihre Aufnahme jederzeit löschen. Bewahren Sie ihn gut auf: Sie sehen ihn nur hier.',
  thanksTextWithdrawWhy:
    'Mit diesem Link können Sie Ihren Text jederzeit löschen. Bewahren Sie den Link gut auf: Sie sehen ihn nur hier.',
  thanksScan: 'Scannen Sie diesen Code mit Ihrem Handy. Der Link bleibt dann auf Ihrem Handy, nicht hier.',
  thanksCopy: 'Link kopieren',
  thanksCopied: 'Kopiert',
  thanksShare: 'Teilen oder an mich senden',
  thanksMail: 'Per E-Mail senden',
  thanksMailSubject: 'Link zum Zurückziehen meiner Aufnahme',
  thanksTextMailSubject: 'Link zum Zurückziehen meines Textes',
  thanksAnother: 'Noch einmal teilnehmen',
  kioskNext: 'In {seconds}\u00a0s ist die Seite für die nächste Person bereit.',
  kioskNow: 'Nächste Person',
  kioskKept: 'Alles ist auf diesem Gerät gespeichert.',
  kioskKeptNext:
    'Im Moment gibt es keine Verbindung. Ihre Worte werden gesendet, sobald die Verbindung wieder da ist, und dann hier gelöscht.',
  kioskRefused:
    'Es geht nichts verloren: Alles bleibt auf diesem Gerät. Bitte sagen Sie der Person Bescheid, die das Gerät betreut.',
  kioskWaiting: 'Frühere Aufnahmen und Texte, die auf eine Verbindung warten: {count}',
  kioskNotAccepted:
    'Frühere Aufnahmen und Texte, die der Server nicht angenommen hat und die auf diesem Gerät bleiben: {count}',
  kioskLost:
    'Frühere Aufnahmen, von denen ein Teil auf diesem Gerät gelöscht wurde, bevor er gesendet war: {count}',
  kioskTell: 'Bitte sagen Sie der Person Bescheid, die dieses Gerät betreut.',

  resumeTitle: 'Eine Aufnahme wurde noch nicht gesendet',
  resumeTextTitle: 'Ein Text wurde noch nicht gesendet',
  resumeText: 'Auf diesem Gerät ist noch eine Aufnahme vom {date}. Länge: {time}.',
  resumeTextOnly: 'Auf diesem Gerät ist noch ein Text vom {date}.',
  resumeContinue: 'Weiter aufnehmen',
  resumeSend: 'Jetzt so senden',
  resumeDelete: 'Löschen',
  resumePartTitle: 'Ein Teil Ihrer Aufnahme ist nicht angekommen',
  resumePartDelete:
    'Die Aufnahme wird nur auf diesem Gerät gelöscht. Was angekommen ist, bleibt bei der Organisation.',
  resumeDraftTitle: 'Sie haben angefangen zu schreiben',
  resumeWrite: 'Weiterschreiben',
  resumeDraftDelete: 'Diesen Text löschen?',
  removeHere: 'Auf diesem Gerät wird alles davon gelöscht. Das lässt sich nicht rückgängig machen.',

  withdrawTitle: 'Ihren Beitrag zurückziehen',
  withdrawText:
    'Alles, was Sie gesagt oder geschrieben haben, wird gelöscht: Ton, Transkript, Zusammenfassung und Zitate in Berichten. Das lässt sich nicht rückgängig machen.',
  withdrawButton: 'Jetzt zurückziehen',
  withdrawnTitle: 'Zurückgezogen',
  withdrawDone: 'Alles, was Sie gesagt oder geschrieben haben, wird jetzt gelöscht.',
  withdrawInvalid: 'Dieser Link ist nicht gültig, oder Ihr Beitrag wurde schon zurückgezogen.',
  withdrawInvalidHelp:
    'Wenn Sie noch Fragen haben, wenden Sie sich an die Organisation und nennen Sie den Code von Ihrer Bestätigung.',

  errorBlocked: 'Das Mikrofon ist blockiert',
  errorBlockedHelp:
    'Diese Seite darf das Mikrofon nicht benutzen. Öffnen Sie die Einstellungen dieser Seite (das Symbol neben der Adresse), erlauben Sie das Mikrofon und versuchen Sie es noch einmal.',
  errorNoMicrophone: 'Kein Mikrofon gefunden',
  errorNoMicrophoneHelp:
    'Schließen Sie ein Mikrofon oder Headset an und versuchen Sie es noch einmal. Oder schreiben Sie, was Sie sagen möchten.',
  errorInUse: 'Das Mikrofon wird gerade benutzt',
  errorInUseHelp:
    'Eine andere App benutzt das Mikrofon, vielleicht für einen Anruf. Schließen Sie die App und versuchen Sie es noch einmal.',
  errorNotSecure: 'Diese Seite kann das Mikrofon nicht benutzen',
  errorNotSecureHelp:
    'Browser erlauben das Mikrofon nur auf sicheren Seiten. Öffnen Sie den Link mit https:// am Anfang, oder sagen Sie der Person Bescheid, von der Sie ihn haben.',
  errorNoRecorder: 'Dieser Browser kann nicht aufnehmen',
  errorNoRecorderHelp:
    'Bitte benutzen Sie eine neuere Version von Chrome, Edge, Firefox oder Safari. Oder schreiben Sie, was Sie sagen möchten.',
  errorWrongLink: 'Dieser Link funktioniert nicht',
  errorWrongLinkHelp:
    'Prüfen Sie, ob die Adresse vollständig ist, oder fragen Sie die Person, von der Sie den Link haben.',
  errorClosed: 'Dieses Projekt ist beendet',
  errorClosedHelp:
    'Sie können nicht mehr teilnehmen. Wenn Sie noch etwas sagen möchten, fragen Sie bei der Organisation nach.',
  errorClosedUnsent:
    'Dieses Projekt wurde beendet, bevor Ihre Aufnahme gesendet werden konnte. Sie können die Aufnahme als Datei speichern und der Organisation geben.',
  errorClosedTextUnsent:
    'Dieses Projekt wurde beendet, bevor Ihr Text gesendet werden konnte. Sie können den Text als Datei speichern und der Organisation geben.',
  errorProjectDeleted: 'Dieses Projekt gibt es nicht mehr',
  errorProjectDeletedHelp:
    'Es wurde gelöscht, bevor alles gesendet war. Was noch hier ist, können Sie als Datei speichern und der Organisation geben.',
  errorLimit: 'Es kann nichts mehr gespeichert werden',
  errorLimitHelp:
    'Dieses Projekt ist voll. Bitte sagen Sie der Organisation Bescheid und versuchen Sie es später noch einmal.',
  errorWithdrawn: 'Diese Aufnahme wurde zurückgezogen',
  errorWithdrawnHelp:
    'Auf dem Server wurde sie gelöscht. Was noch hier ist, können Sie löschen oder als Datei speichern.',
  errorWithdrawnText: 'Dieser Text wurde zurückgezogen',
  errorWithdrawnTextHelp:
    'Auf dem Server wurde er gelöscht. Was noch hier ist, können Sie löschen oder als Datei speichern.',
  errorServer: 'Der Server antwortet nicht',
  errorServerHelp: 'Die Seite versucht es von selbst weiter.',
  errorNotErased: 'Es wurde noch nichts gelöscht',
  errorNotErasedHelp:
    'Der Server war nicht erreichbar. Prüfen Sie Ihre Internetverbindung und versuchen Sie es noch einmal.',
  errorOffline: 'Keine Verbindung',
  errorOfflineHelp: 'Prüfen Sie Ihre Internetverbindung. Die Seite versucht es von selbst noch einmal.',
  errorRefused: 'Der Server hat das nicht angenommen',
  errorRefusedHelp:
    'Sie können es noch einmal versuchen, oder die Aufnahme als Datei speichern und der Organisation geben.',
  errorRefusedTextHelp:
    'Sie können es noch einmal versuchen, oder den Text als Datei speichern und der Organisation geben.',
  errorConsentChanged: 'Der Text zur Einwilligung wurde geändert',
  errorConsentChangedHelp:
    'Bitte lesen Sie den neuen Text. Wenn Sie einverstanden sind, wird Ihre Aufnahme gesendet.',
  errorConsentChangedTextHelp:
    'Bitte lesen Sie den neuen Text. Wenn Sie einverstanden sind, wird Ihr eigener Text gesendet.',
  saveFile: 'Aufnahme als Datei speichern',
  saveTextFile: 'Text als Datei speichern',
}
