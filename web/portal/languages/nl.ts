import type { Texts } from './texts.ts'

export const nl: Texts = {
  language: 'Nederlands',
  changeLanguage: 'Taal',
  back: 'Terug',
  next: 'Verder',
  cancel: 'Annuleren',
  tryAgain: 'Opnieuw proberen',
  optional: 'niet verplicht',
  required: 'Vul dit nog in.',

  welcomeFrom: 'Een vraag van {organisation}',
  welcomeStart: 'Beginnen',
  welcomeHow: 'Zo werkt het',
  welcomeStepSpeak:
    'U spreekt in wat u wilt zeggen, zo lang als u wilt. U kunt altijd even pauzeren. Typen kan ook.',
  welcomeStepText: 'Van uw woorden wordt tekst gemaakt. {organisation} leest die tekst.',
  welcomeStepWithdraw: 'U kunt later alles weer intrekken. Aan het eind krijgt u daarvoor een link.',
  privacy: 'Privacyverklaring',
  welcomeNoAccount: 'U hebt geen account nodig.',

  consentTitle: 'Gaat u akkoord?',
  consentTick: 'Ja, ik ga akkoord.',
  consentNeeded: 'Zet een vinkje als u akkoord gaat. Zonder uw akkoord kunt u niet meedoen.',
  consentRead: 'Tekst lezen',

  aboutTitle: 'Over u',
  aboutName: 'Uw naam',
  aboutEmail: 'Uw e-mailadres',
  aboutEmailInvalid: 'Dit lijkt geen e-mailadres te zijn.',
  aboutTags: 'Waar gaat het over?',
  aboutSpokenLanguage: 'In welke taal spreekt of schrijft u?',
  aboutAnyLanguage: 'Elke taal',

  microphoneTitle: 'Test uw microfoon',
  microphoneAsk:
    'Uw browser vraagt zo of deze pagina de microfoon mag gebruiken. Geef daar toestemming voor.',
  microphoneAllow: 'Microfoon aanzetten',
  microphoneSpeak: 'Zeg iets. Het balkje moet bewegen.',
  microphoneWorks: 'De microfoon vangt uw stem op.',
  microphoneQuiet: 'Het is erg stil. Kom dichterbij of kies een andere microfoon.',
  microphoneLevel: 'Geluidssterkte',
  microphoneDevice: 'Microfoon',
  microphoneTest: '3 seconden opnemen en luisteren',
  microphoneTesting: 'Spreek nu…',
  microphonePlaying: 'Zo klinkt de opname…',
  microphoneStart: 'Opname starten',
  typeInstead: 'Liever typen',

  recordingTitle: 'Opname',
  recordingSpeak: 'De opname loopt. Neem de tijd.',
  recordingPaused: 'Gepauzeerd',
  recordingStarting: 'Opname start…',
  recordingTime: 'Opgenomen tijd',
  recordingPause: 'Pauze',
  recordingResume: 'Doorgaan',
  recordingDone: 'Klaar',
  recordingLiveText: 'Wat er tot nu toe gezegd is',
  recordingLiveTextLater: 'Een paar seconden nadat u iets zegt, ziet u hier uw woorden.',
  recordingMuted:
    'De telefoon heeft de microfoon uitgezet, misschien voor een telefoongesprek. De opname gaat verder als de microfoon weer aan is.',
  recordingMicrophoneLost: 'De microfoon is losgeraakt. We zoeken een andere…',
  recordingGap:
    'Toen deze pagina op de achtergrond stond, is uw browser gestopt met opnemen. Niet opgenomen: {time}.',
  recordingKeepOpen: 'Houd deze pagina open terwijl u spreekt.',

  stateSaved: 'Opgeslagen op dit apparaat: {time}',
  stateSavedInMemory: 'Bewaard in de open pagina: {time}',
  stateSent: 'Verstuurd: {time}',
  stateAllReceived: 'Alles tot nu toe is ontvangen',
  stateOffline:
    'Geen verbinding. Uw opname is hier opgeslagen en wordt verstuurd zodra er weer verbinding is.',
  stateOfflineInMemory:
    'Geen verbinding. Houd deze pagina open: uw browser laat niet toe dat de opname wordt opgeslagen.',
  stateMemoryOnly:
    'Deze pagina mag van uw browser niets opslaan (privémodus). Houd de pagina open tot alles is ontvangen.',
  stateDiskFull:
    'De opslag van dit apparaat is vol. De opname gaat door en wordt direct verstuurd. Houd de pagina open.',
  stateNotAccepted:
    'Tot nu toe niet aangenomen door de server: {time}. Het blijft hier bewaard en wordt aan het einde opnieuw verstuurd.',
  lost: 'Een deel van uw opname ({time}) is weg. Het is van dit apparaat gewist voordat het was verstuurd, misschien samen met de gegevens van de browser.',
  lostHelp: 'Wat u vanaf nu zegt, wordt weer bewaard. U kunt dat deel opnieuw zeggen.',
  keptOnDevice:
    'Uw opname staat veilig op dit apparaat, ook als u de pagina sluit. Open de link later opnieuw om de opname te versturen.',
  keptWhileClosed:
    'Uw opname blijft op dit apparaat staan, ook als u de pagina sluit. Als de organisatie het project weer opent, open dan de link opnieuw om de opname te versturen.',
  keptInPage: 'Uw opname staat alleen in deze pagina. Sluit de pagina niet.',
  keptTextOnDevice:
    'Uw tekst staat veilig op dit apparaat, ook als u de pagina sluit. Open de link later opnieuw om de tekst te versturen.',
  keptTextWhileClosed:
    'Uw tekst blijft op dit apparaat staan, ook als u de pagina sluit. Als de organisatie het project weer opent, open dan de link opnieuw om de tekst te versturen.',
  keptTextInPage: 'Uw tekst staat alleen in deze pagina. Sluit de pagina niet.',
  keptRest:
    'De rest staat veilig op dit apparaat, ook als u de pagina sluit. Open de link later opnieuw om die te versturen.',

  textTitle: 'Schrijf op wat u wilt zeggen',
  textLabel: 'Uw tekst',
  textSend: 'Versturen',

  reviewTitle: 'Is dit wat u wilde zeggen?',
  reviewExplain:
    'Uw woorden worden al tijdens het spreken verstuurd. Hier kunt u alles terugluisteren, iets toevoegen of alles verwijderen.',
  reviewListen: 'Luister naar uw opname',
  reviewText: 'Wat u hebt geschreven',
  reviewEditText: 'Tekst aanpassen',
  play: 'Luisteren',
  playPosition: 'Plaats in de opname',
  reviewSend: 'Versturen en afronden',
  reviewAdd: 'Iets toevoegen',
  reviewAgain: 'Opnieuw beginnen',
  reviewRemove: 'Verwijderen',
  reviewRemoveTitle: 'Deze opname verwijderen?',
  reviewRemoveText:
    'Alles wat u hebt gezegd, wordt gewist, hier en op de server. U kunt dit niet terugdraaien.',
  reviewRemoveConfirm: 'Ja, verwijderen',
  reviewAgainTitle: 'Opnieuw beginnen?',
  reviewAgainText:
    'Wat u tot nu toe hebt opgenomen, wordt gewist, hier en op de server. Daarna kunt u opnieuw opnemen.',
  reviewAgainConfirm: 'Wissen en opnieuw opnemen',
  removed: 'Uw opname is verwijderd. Er is niets van over.',

  sendingTitle: 'Uw opname wordt verstuurd',
  sendingTextTitle: 'Uw tekst wordt verstuurd',
  sendingProgress: 'Delen ontvangen: {sent} van {all}',
  sendingKeepOpen: 'Houd deze pagina open tot alles is ontvangen.',

  thanksTitle: 'Dank u wel!',
  thanksReceived: 'Alles wat u hebt gezegd, is ontvangen.',
  thanksTextReceived: 'Uw tekst is ontvangen.',
  thanksExcept: 'Uw opname is ontvangen, op een deel na ({time}).',
  thanksCode: 'Uw code',
  thanksCodeWhy: 'Noem deze code als u een vraag hebt over uw opname.',
  thanksTextCodeWhy: 'Noem deze code als u een vraag hebt over uw tekst.',
  thanksWithdraw: 'Toch van gedachten veranderd?',
  thanksWithdrawWhy:
    'Met deze link kunt u uw opname altijd laten wissen. Bewaar hem goed: u ziet hem alleen hier.',
  thanksTextWithdrawWhy:
    'Met deze link kunt u uw tekst altijd laten wissen. Bewaar de link goed: u ziet hem alleen hier.',
  thanksScan: 'Scan deze code met uw telefoon. De link staat dan op uw telefoon, niet hier.',
  thanksCopy: 'Link kopiëren',
  thanksCopied: 'Gekopieerd',
  thanksShare: 'Delen of naar uzelf sturen',
  thanksMail: 'Per e-mail sturen',
  thanksMailSubject: 'Link om mijn opname in te trekken',
  thanksTextMailSubject: 'Link om mijn tekst in te trekken',
  thanksAnother: 'Nog een keer meedoen',
  kioskNext: 'Over {seconds}\u00a0s is de pagina klaar voor de volgende persoon.',
  kioskNow: 'Volgende persoon',
  kioskKept: 'Alles staat veilig op dit apparaat.',
  kioskKeptNext:
    'Er is nu geen verbinding. Uw woorden worden verstuurd zodra de verbinding terug is, en daarna hier gewist.',
  kioskRefused:
    'Er gaat niets verloren: het blijft op dit apparaat. Zeg het tegen de persoon die voor het apparaat zorgt.',
  kioskWaiting: 'Eerdere opnamen en teksten die op een verbinding wachten: {count}',
  kioskNotAccepted:
    'Eerdere opnamen en teksten die de server niet heeft aangenomen en die op dit apparaat bewaard blijven: {count}',
  kioskLost: 'Eerdere opnamen waarvan een deel van dit apparaat is gewist voordat het was verstuurd: {count}',
  kioskTell: 'Zeg dit alstublieft tegen de persoon die voor dit apparaat zorgt.',

  resumeTitle: 'Er is nog een opname die niet is verstuurd',
  resumeTextTitle: 'Er is nog een tekst die niet is verstuurd',
  resumeText: 'Op dit apparaat staat nog een opname van {date}. Duur: {time}.',
  resumeTextOnly: 'Op dit apparaat staat nog een tekst van {date}.',
  resumeContinue: 'Verder opnemen',
  resumeSend: 'Versturen zoals het is',
  resumeDelete: 'Verwijderen',
  resumePartTitle: 'Een deel van uw opname is niet ontvangen',
  resumePartDelete:
    'De opname wordt alleen op dit apparaat gewist. Wat is ontvangen, blijft bij de organisatie.',
  resumeDraftTitle: 'U bent begonnen met schrijven',
  resumeWrite: 'Verder schrijven',
  resumeDraftDelete: 'Deze tekst verwijderen?',
  removeHere: 'Het wordt op dit apparaat gewist. U kunt dit niet terugdraaien.',

  withdrawTitle: 'Intrekken wat u hebt gezegd of geschreven',
  withdrawText:
    'Alles wat u hebt gezegd of geschreven, wordt gewist: het geluid, de uitgeschreven tekst, de samenvatting en citaten in rapporten. U kunt dit niet terugdraaien.',
  withdrawButton: 'Nu intrekken',
  withdrawnTitle: 'Ingetrokken',
  withdrawDone: 'Alles wat u hebt gezegd of geschreven, wordt nu gewist.',
  withdrawInvalid: 'Deze link klopt niet, of alles is al ingetrokken.',
  withdrawInvalidHelp:
    'Hebt u nog een vraag? Neem contact op met de organisatie en noem de code van uw bevestiging.',

  errorBlocked: 'De microfoon is geblokkeerd',
  errorBlockedHelp:
    'Deze pagina mag de microfoon niet gebruiken. Open de instellingen van deze pagina (het symbool naast het adres), sta de microfoon toe en probeer het opnieuw.',
  errorNoMicrophone: 'Geen microfoon gevonden',
  errorNoMicrophoneHelp:
    'Sluit een microfoon of headset aan en probeer het opnieuw, of typ wat u wilt zeggen.',
  errorInUse: 'De microfoon is bezet',
  errorInUseHelp:
    'Een andere app gebruikt de microfoon, misschien voor een gesprek. Sluit die app en probeer het opnieuw.',
  errorNotSecure: 'Deze pagina kan de microfoon niet gebruiken',
  errorNotSecureHelp:
    'De microfoon werkt alleen op beveiligde pagina’s. Open de link met https:// aan het begin, of vertel het aan degene van wie u de link kreeg.',
  errorNoRecorder: 'Deze browser kan niet opnemen',
  errorNoRecorderHelp:
    'Gebruik een nieuwere versie van Chrome, Edge, Firefox of Safari, of typ wat u wilt zeggen.',
  errorWrongLink: 'Deze link werkt niet',
  errorWrongLinkHelp: 'Kijk of het adres compleet is, of vraag het aan degene van wie u de link kreeg.',
  errorClosed: 'Dit project is gesloten',
  errorClosedHelp:
    'U kunt niet meer meedoen. Wilt u toch nog iets zeggen? Neem dan contact op met de organisatie.',
  errorClosedUnsent:
    'Dit project is gesloten voordat uw opname kon worden verstuurd. U kunt de opname als bestand opslaan en aan de organisatie geven.',
  errorClosedTextUnsent:
    'Dit project is gesloten voordat uw tekst kon worden verstuurd. U kunt de tekst als bestand opslaan en aan de organisatie geven.',
  errorProjectDeleted: 'Dit project bestaat niet meer',
  errorProjectDeletedHelp:
    'Het is verwijderd voordat alles was verstuurd. Wat hier staat, kunt u als bestand opslaan en aan de organisatie geven.',
  errorLimit: 'Er kan niets meer bij',
  errorLimitHelp: 'Dit project zit vol. Geef dat door aan de organisatie en probeer het later opnieuw.',
  errorWithdrawn: 'Deze opname is ingetrokken',
  errorWithdrawnHelp:
    'De opname is gewist op de server. Wat hier nog staat, kunt u verwijderen of als bestand opslaan.',
  errorWithdrawnText: 'Deze tekst is ingetrokken',
  errorWithdrawnTextHelp:
    'De tekst is gewist op de server. Wat hier nog staat, kunt u verwijderen of als bestand opslaan.',
  errorServer: 'De server reageert niet',
  errorServerHelp: 'De pagina blijft het vanzelf proberen.',
  errorNotErased: 'Er is nog niets verwijderd',
  errorNotErasedHelp:
    'De server is niet bereikbaar. Controleer uw internetverbinding en probeer het opnieuw.',
  errorOffline: 'Geen verbinding',
  errorOfflineHelp: 'Controleer uw internetverbinding. De pagina probeert het vanzelf opnieuw.',
  errorRefused: 'De server heeft dit niet aangenomen',
  errorRefusedHelp:
    'U kunt het opnieuw proberen, of de opname als bestand opslaan en aan de organisatie geven.',
  errorRefusedTextHelp:
    'U kunt het opnieuw proberen, of de tekst als bestand opslaan en aan de organisatie geven.',
  errorConsentChanged: 'De toestemmingstekst is veranderd',
  errorConsentChangedHelp: 'Lees de nieuwe tekst. Als u akkoord gaat, wordt uw opname verstuurd.',
  errorConsentChangedTextHelp: 'Lees de nieuwe tekst. Als u akkoord gaat, wordt uw eigen tekst verstuurd.',
  saveFile: 'Opname opslaan als bestand',
  saveTextFile: 'Tekst opslaan als bestand',
}
