import type { Texts } from './texts.ts'

export const fr: Texts = {
  language: 'Français',
  changeLanguage: 'Langue',
  back: 'Retour',
  next: 'Continuer',
  cancel: 'Annuler',
  tryAgain: 'Réessayer',
  optional: 'facultatif',
  required: 'Merci de remplir ce champ.',

  welcomeFrom: '{organisation} vous pose une question',
  welcomeStart: 'Commencer',
  welcomeHow: 'Comment ça marche',
  welcomeStepSpeak:
    'Vous parlez aussi longtemps que vous voulez. Vous pouvez faire une pause à tout moment, ou écrire.',
  welcomeStepText: 'Vos paroles sont mises par écrit et lues par {organisation}.',
  welcomeStepWithdraw: 'Vous pourrez tout retirer plus tard. À la fin, vous recevez un lien pour cela.',
  privacy: 'Protection des données',
  welcomeNoAccount: 'Pas besoin de compte.',

  consentTitle: 'Êtes-vous d’accord\u202f?',
  consentTick: 'Oui, je suis d’accord.',
  consentNeeded: 'Cochez la case si vous êtes d’accord. Sans votre accord, vous ne pouvez pas participer.',
  consentRead: 'Lire le texte',

  aboutTitle: 'À propos de vous',
  aboutName: 'Votre nom',
  aboutEmail: 'Votre adresse e-mail',
  aboutEmailInvalid: 'Cela ne ressemble pas à une adresse e-mail.',
  aboutTags: 'De quoi s’agit-il\u202f?',
  aboutSpokenLanguage: 'Dans quelle langue allez-vous parler ou écrire\u202f?',
  aboutAnyLanguage: 'N’importe quelle langue',

  microphoneTitle: 'Testez votre micro',
  microphoneAsk: 'Votre navigateur va demander si cette page peut utiliser le micro. Merci de l’autoriser.',
  microphoneAllow: 'Activer le micro',
  microphoneSpeak: 'Dites quelque chose. La barre doit bouger.',
  microphoneWorks: 'Le micro capte votre voix.',
  microphoneQuiet: 'Le son est très faible. Rapprochez-vous ou choisissez un autre micro.',
  microphoneLevel: 'Volume',
  microphoneDevice: 'Micro',
  microphoneTest: 'Enregistrer 3 secondes et écouter',
  microphoneTesting: 'Parlez maintenant…',
  microphonePlaying: 'Voici l’enregistrement…',
  microphoneStart: 'Lancer l’enregistrement',
  typeInstead: 'Plutôt écrire',

  recordingTitle: 'Enregistrement',
  recordingSpeak: 'Enregistrement en cours. Prenez votre temps.',
  recordingPaused: 'En pause',
  recordingStarting: 'Démarrage…',
  recordingTime: 'Durée enregistrée',
  recordingPause: 'Pause',
  recordingResume: 'Reprendre',
  recordingDone: 'Terminer',
  recordingLiveText: 'Ce qui a été dit jusqu’ici',
  recordingLiveTextLater: 'Vos paroles s’affichent ici avec quelques secondes de retard.',
  recordingMuted:
    'Le téléphone a coupé le micro, peut-être pour un appel. L’enregistrement reprendra quand le micro sera de nouveau actif.',
  recordingMicrophoneLost: 'Le micro a été déconnecté. Recherche d’un autre micro…',
  recordingGap:
    'Pendant que la page était en arrière-plan, votre navigateur a arrêté d’enregistrer. Durée manquante\u00a0: {time}.',
  recordingKeepOpen: 'Gardez cette page ouverte pendant que vous parlez.',

  stateSaved: 'Sauvegardé sur cet appareil\u00a0: {time}',
  stateSavedInMemory: 'Gardé dans la page ouverte\u00a0: {time}',
  stateSent: 'Envoyé\u00a0: {time}',
  stateAllReceived: 'Tout a été reçu jusqu’ici',
  stateOffline:
    'Pas de connexion. Votre enregistrement est sauvegardé ici et sera envoyé au retour de la connexion.',
  stateOfflineInMemory:
    'Pas de connexion. Gardez cette page ouverte\u00a0: votre navigateur ne lui permet pas de sauvegarder l’enregistrement.',
  stateMemoryOnly:
    'Votre navigateur ne permet pas à cette page de sauvegarder quoi que ce soit (mode privé). Gardez la page ouverte jusqu’à ce que tout soit reçu.',
  stateDiskFull:
    'La mémoire de cet appareil est pleine. L’enregistrement continue et est envoyé directement. Gardez la page ouverte.',
  stateNotAccepted:
    'Pas encore accepté par le serveur\u00a0: {time}. Cette partie est gardée ici et sera renvoyée à la fin.',
  lost: 'Une partie de votre enregistrement ({time}) est perdue. Elle a été supprimée de cet appareil avant l’envoi, peut-être avec les données du navigateur.',
  lostHelp: 'Ce que vous dites à partir de maintenant est de nouveau gardé. Vous pouvez redire cette partie.',
  keptOnDevice:
    'Votre enregistrement est en sécurité sur cet appareil, même si vous fermez la page. Pour l’envoyer plus tard, rouvrez le lien.',
  keptWhileClosed:
    'Votre enregistrement reste sur cet appareil, même si vous fermez la page. Si l’organisation relance le projet, rouvrez le lien pour l’envoyer.',
  keptInPage: 'Votre enregistrement n’est que dans cette page. Merci de ne pas la fermer.',
  keptTextOnDevice:
    'Votre texte est en sécurité sur cet appareil, même si vous fermez la page. Pour l’envoyer plus tard, rouvrez le lien.',
  keptTextWhileClosed:
    'Votre texte reste sur cet appareil, même si vous fermez la page. Si l’organisation relance le projet, rouvrez le lien pour l’envoyer.',
  keptTextInPage: 'Votre texte n’est que dans cette page. Merci de ne pas la fermer.',
  keptRest:
    'Le reste est en sécurité sur cet appareil, même si vous fermez la page. Pour l’envoyer plus tard, rouvrez le lien.',

  textTitle: 'Écrivez ce que vous voulez dire',
  textLabel: 'Votre texte',
  textSend: 'Envoyer',

  reviewTitle: 'Est-ce bien ce que vous vouliez dire\u202f?',
  reviewExplain:
    'Vos paroles sont envoyées pendant que vous parlez. Ici, vous pouvez les écouter, ajouter quelque chose ou tout supprimer.',
  reviewListen: 'Écouter votre enregistrement',
  reviewText: 'Ce que vous avez écrit',
  reviewEditText: 'Modifier le texte',
  play: 'Écouter',
  playPosition: 'Position',
  reviewSend: 'Envoyer et terminer',
  reviewAdd: 'Ajouter quelque chose',
  reviewAgain: 'Recommencer',
  reviewRemove: 'Supprimer',
  reviewRemoveTitle: 'Supprimer cet enregistrement\u202f?',
  reviewRemoveText:
    'Tout ce que vous avez dit sera effacé, ici et sur le serveur. Vous ne pourrez pas revenir en arrière.',
  reviewRemoveConfirm: 'Oui, supprimer',
  reviewAgainTitle: 'Recommencer\u202f?',
  reviewAgainText:
    'Ce que vous avez enregistré jusqu’ici sera effacé, ici et sur le serveur. Ensuite, vous pourrez enregistrer de nouveau.',
  reviewAgainConfirm: 'Effacer et recommencer',
  removed: 'Votre enregistrement a été supprimé. Il n’en reste rien.',

  sendingTitle: 'Envoi de votre enregistrement',
  sendingTextTitle: 'Envoi de votre texte',
  sendingProgress: 'Parties reçues\u00a0: {sent} sur {all}',
  sendingKeepOpen: 'Merci de garder cette page ouverte jusqu’à ce que tout soit reçu.',

  thanksTitle: 'Merci\u202f!',
  thanksReceived: 'Tout ce que vous avez dit a bien été reçu.',
  thanksTextReceived: 'Votre texte a bien été reçu.',
  thanksExcept: 'Votre enregistrement a été reçu, sauf une partie ({time}).',
  thanksCode: 'Votre code',
  thanksCodeWhy: 'Donnez ce code si vous avez une question sur votre enregistrement.',
  thanksTextCodeWhy: 'Donnez ce code si vous avez une question sur votre texte.',
  thanksWithdraw: 'Vous avez changé d’avis\u202f?',
  thanksWithdrawWhy:
    'Avec ce lien, vous pouvez effacer votre enregistrement à tout moment. Gardez-le bien\u00a0: il ne s’affiche qu’ici.',
  thanksTextWithdrawWhy:
    'Avec ce lien, vous pouvez effacer votre texte à tout moment. Gardez bien le lien\u00a0: il ne s’affiche qu’ici.',
  thanksScan: 'Scannez ce code avec votre téléphone. Le lien reste sur votre téléphone, pas ici.',
  thanksCopy: 'Copier le lien',
  thanksCopied: 'Lien copié',
  thanksShare: 'Partager ou me l’envoyer',
  thanksMail: 'Envoyer par e-mail',
  thanksMailSubject: 'Lien pour retirer mon enregistrement',
  thanksTextMailSubject: 'Lien pour retirer mon texte',
  thanksAnother: 'Participer encore une fois',
  kioskNext: 'La page sera prête pour la personne suivante dans {seconds}\u00a0s.',
  kioskNow: 'Personne suivante',
  kioskKept: 'Tout est gardé sur cet appareil.',
  kioskKeptNext:
    'Il n’y a pas de connexion pour le moment. Vos paroles seront envoyées dès que la connexion sera revenue, puis effacées ici.',
  kioskRefused:
    'Rien n’est perdu\u00a0: tout reste sur cet appareil. Merci de prévenir la personne qui s’en occupe.',
  kioskWaiting: 'Enregistrements et textes précédents en attente d’une connexion\u00a0: {count}',
  kioskNotAccepted:
    'Enregistrements et textes précédents que le serveur n’a pas acceptés et qui restent sur cet appareil\u00a0: {count}',
  kioskLost:
    'Enregistrements précédents dont une partie a été supprimée de cet appareil avant l’envoi\u00a0: {count}',
  kioskTell: 'Merci de prévenir la personne qui s’occupe de cet appareil.',

  resumeTitle: 'Un enregistrement n’a pas été envoyé',
  resumeTextTitle: 'Un texte n’a pas été envoyé',
  resumeText: 'Un enregistrement du {date} est encore sur cet appareil. Durée\u00a0: {time}.',
  resumeTextOnly: 'Un texte du {date} est encore sur cet appareil.',
  resumeContinue: 'Continuer à enregistrer',
  resumeSend: 'L’envoyer tel quel',
  resumeDelete: 'Le supprimer',
  resumePartTitle: 'Une partie de votre enregistrement n’a pas été reçue',
  resumePartDelete:
    'L’enregistrement sera effacé seulement sur cet appareil. Ce qui a été reçu reste chez l’organisation.',
  resumeDraftTitle: 'Vous avez commencé à écrire',
  resumeWrite: 'Continuer à écrire',
  resumeDraftDelete: 'Supprimer ce texte\u00a0?',
  removeHere: 'Tout sera effacé sur cet appareil. Vous ne pourrez pas revenir en arrière.',

  withdrawTitle: 'Retirer ce que vous avez dit ou écrit',
  withdrawText:
    'Tout ce que vous avez dit ou écrit sera effacé\u00a0: le son, la transcription, le résumé et les citations dans les rapports. Vous ne pourrez pas revenir en arrière.',
  withdrawButton: 'Retirer maintenant',
  withdrawnTitle: 'C’est retiré',
  withdrawDone: 'Tout ce que vous avez dit ou écrit est en train d’être effacé.',
  withdrawInvalid: 'Ce lien n’est pas valable, ou tout a déjà été retiré.',
  withdrawInvalidHelp:
    'Si vous avez encore une question, contactez l’organisation en donnant le code de votre reçu.',

  errorBlocked: 'Le micro est bloqué',
  errorBlockedHelp:
    'Cette page n’a pas le droit d’utiliser le micro. Ouvrez les réglages de la page (le symbole à côté de l’adresse), autorisez le micro et réessayez.',
  errorNoMicrophone: 'Aucun micro trouvé',
  errorNoMicrophoneHelp:
    'Branchez un micro ou un casque avec micro et réessayez, ou écrivez ce que vous voulez dire.',
  errorInUse: 'Le micro est déjà utilisé',
  errorInUseHelp: 'Une autre application utilise le micro, peut-être pour un appel. Fermez-la et réessayez.',
  errorNotSecure: 'Cette page ne peut pas utiliser le micro',
  errorNotSecureHelp:
    'Les navigateurs n’autorisent le micro que sur les pages sécurisées. Ouvrez le lien avec https:// au début, ou prévenez la personne qui vous l’a donné.',
  errorNoRecorder: 'Ce navigateur ne peut pas enregistrer',
  errorNoRecorderHelp:
    'Utilisez une version plus récente de Chrome, Edge, Firefox ou Safari, ou écrivez ce que vous voulez dire.',
  errorWrongLink: 'Ce lien ne fonctionne pas',
  errorWrongLinkHelp: 'Vérifiez que l’adresse est complète, ou demandez à la personne qui vous l’a donnée.',
  errorClosed: 'Ce projet est terminé',
  errorClosedHelp:
    'Il n’est plus possible de participer. Si vous voulez encore dire quelque chose, contactez l’organisation.',
  errorClosedUnsent:
    'Ce projet s’est terminé avant l’envoi de votre enregistrement. Vous pouvez le sauvegarder dans un fichier et le remettre à l’organisation.',
  errorClosedTextUnsent:
    'Ce projet s’est terminé avant l’envoi de votre texte. Vous pouvez le sauvegarder dans un fichier et le remettre à l’organisation.',
  errorProjectDeleted: 'Ce projet n’existe plus',
  errorProjectDeletedHelp:
    'Il a été supprimé avant que tout soit envoyé. Vous pouvez sauvegarder ce qui est ici dans un fichier et le remettre à l’organisation.',
  errorLimit: 'Il n’y a plus de place',
  errorLimitHelp:
    'Ce projet a atteint sa limite. Merci de prévenir l’organisation et de réessayer plus tard.',
  errorWithdrawn: 'Cet enregistrement a été retiré',
  errorWithdrawnHelp:
    'Il a été effacé sur le serveur. Vous pouvez supprimer ce qui reste ici, ou le sauvegarder dans un fichier.',
  errorWithdrawnText: 'Ce texte a été retiré',
  errorWithdrawnTextHelp:
    'Il a été effacé sur le serveur. Vous pouvez supprimer ce qui reste ici, ou le sauvegarder dans un fichier.',
  errorServer: 'Le serveur ne répond pas',
  errorServerHelp: 'La page continue d’essayer toute seule.',
  errorNotErased: 'Rien n’a encore été supprimé',
  errorNotErasedHelp: 'Le serveur n’a pas répondu. Vérifiez votre connexion internet, puis réessayez.',
  errorOffline: 'Pas de connexion',
  errorOfflineHelp: 'Vérifiez votre connexion internet. La page réessaie toute seule.',
  errorRefused: 'Le serveur n’a pas accepté l’envoi',
  errorRefusedHelp:
    'Vous pouvez réessayer, ou sauvegarder l’enregistrement dans un fichier et le remettre à l’organisation.',
  errorRefusedTextHelp:
    'Vous pouvez réessayer, ou sauvegarder le texte dans un fichier et le remettre à l’organisation.',
  errorConsentChanged: 'Le texte à accepter a changé',
  errorConsentChangedHelp:
    'Merci de lire le nouveau texte. Si vous êtes d’accord, votre enregistrement sera envoyé.',
  errorConsentChangedTextHelp:
    'Merci de lire le nouveau texte. Si vous êtes d’accord, votre propre texte sera envoyé.',
  saveFile: 'Sauvegarder dans un fichier',
  saveTextFile: 'Sauvegarder le texte dans un fichier',
}
