import { plural } from '../shared/plural.ts'

const conversations = (count: number) => plural(count, 'conversation', 'conversations')

export const projectSettings = {
  title: 'Paramètres',
  /** Names of fields, as in lists of changes. */
  fields: {
    name: 'Nom',
    title: 'Titre',
    description: 'Introduction',
    finish_text: 'Remerciement',
    privacy_url: 'Politique de confidentialité',
    accent_color: 'Couleur',
    logo: 'Logo',
    ask_name: 'Demander le nom',
    ask_email: 'Demander l’adresse e-mail',
    tags: 'Étiquettes',
    language: 'Langue',
    languages: 'Autres langues',
    hotwords: 'Noms et termes',
    consent_text: 'Texte de consentement',
    retention_days: 'Conservation',
    is_open: 'Ouvert ou fermé',
  },
  sections: {
    texts: 'Textes',
    look: 'Apparence',
    questions: 'Questions',
    languages: 'Langues',
    consent: 'Consentement',
    retention: 'Conservation',
  },
  help: {
    name: 'Dans le tableau de bord et les payloads. Les participants le voient s’il n’y a pas de titre.',
    title: 'La grande ligne de la page d’enregistrement',
    description: 'Ce que vous demandez, et pourquoi. Une ligne vide commence un nouveau paragraphe.',
    finish_text: 'Affiché une fois l’enregistrement reçu',
    privacy_url: 'Une adresse https',
    accent_color: 'Des boutons et des liens de la page d’enregistrement',
    tags: 'Les participants choisissent parmi elles, par exemple des lieux ou des rôles. Appuyez sur Entrée après chacune.',
    language: 'Celle que les gens parleront sans doute. Les transcriptions en sont meilleures.',
    languages: 'Les participants peuvent aussi les choisir.',
    hotwords:
      'Comment s’écrivent les noms de personnes, de rues et de projets. La transcription s’en sert. Appuyez sur Entrée après chacun.',
    consent_text:
      'Les participants cochent une case sous ce texte avant d’enregistrer. Vide\u00a0: rien n’est demandé.',
  },
  nameNeeded: 'Un projet doit avoir un nom.',
  detect: 'Détecter dans chaque conversation',
  optional: 'La réponse est toujours facultative.',
  color: {
    pick: 'Choisir une couleur',
    clear: 'Couleur standard',
    invalid: 'Six chiffres ou lettres de a à f après #, par exemple #0b57d0',
    contrast: (ratio: string) => `Contraste avec le blanc\u00a0: ${ratio.replace('.', ',')}\u00a0pour\u00a01`,
    fine: 'Bien visible sur la page.',
    pale: 'Trop pâle\u00a0: les boutons seraient difficiles à voir. Il faut au moins 3\u00a0pour\u00a01\u202f; choisissez une couleur plus foncée.',
  },
  logo: {
    none: 'Sans logo, la page affiche le nom de l’organisation.',
    help: (max: string) => `PNG ou JPEG, ${max} au maximum. Il est sauvegardé aussitôt.`,
    choose: 'Choisir une image',
    replace: 'Remplacer',
    remove: 'Retirer',
    alt: 'Logo de la page d’enregistrement',
  },
  consent: {
    history: 'Historique',
    historyHelp:
      'Chaque participant a accepté le texte en vigueur ce jour-là. Les anciens textes sont conservés aussi longtemps que le projet.',
    none: 'Il n’y a pas encore eu de texte de consentement.',
    current: 'En vigueur',
    agreed: (count: number) =>
      count === 0
        ? 'Personne ne l’a encore accepté'
        : `Accepté par ${plural(count, 'participant', 'participants')}`,
    from: (time: string) => `À partir du ${time}`,
    useAgain: 'Réutiliser',
    show: 'Afficher tout le texte',
    hide: 'Afficher moins',
  },
  retention: {
    isOn: 'Effacer les conversations automatiquement',
    days: 'Jours après la fin d’une conversation',
    off: 'Les conversations sont conservées jusqu’à ce que quelqu’un les supprime.',
    what: 'Sont effacés l’enregistrement, la transcription, le résumé et les citations dans les rapports.',
    today: (date: string) => `Une conversation qui se termine aujourd’hui sera effacée le ${date}.`,
    next: (date: string) => `La plus ancienne encore conservée sera effacée le ${date}.`,
    expired: (count: number, days: number) =>
      `${plural(count, 'conversation terminée', 'conversations terminées')} depuis plus de ${plural(days, 'jour', 'jours')}\u00a0: effacement peu après la sauvegarde.`,
    confirmTitle: (count: number) => `Effacer ${conversations(count)}\u202f?`,
    confirmText: (count: number, days: number) =>
      `Avec une conservation de ${plural(days, 'jour', 'jours')}, ${plural(count, 'conversation sera effacée', 'conversations seront effacées')} dans les prochaines minutes. Cette action est irréversible.`,
    confirm: 'Sauvegarder et effacer',
  },
  unsaved: (count: number) => plural(count, 'modification non sauvegardée', 'modifications non sauvegardées'),
  restored: 'Ces modifications datent de votre dernière visite. Elles ne sont pas encore sauvegardées.',
  discard: 'Annuler',
  saved: 'Sauvegardé',
  savedBeside: (who: string, fields: string) =>
    `Sauvegardé. Entre-temps, ${who} a modifié\u00a0: ${fields}. C’est conservé.`,
  someone: 'quelqu’un d’autre',
  staff: 'l’équipe du service',
  conflict: {
    title: 'Quelqu’un d’autre a modifié les mêmes paramètres',
    help: 'Rien n’est écrasé. Choisissez ce qui doit rester, puis sauvegardez.',
    by: (who: string, time: string) => `Modifié par ${who}, ${time}`,
    theirs: 'L’autre version',
    mine: 'Ma version',
    empty: 'vide',
    yes: 'Oui',
    no: 'Non',
    save: 'Sauvegarder ce choix',
  },
  leave: {
    title: 'Quitter sans sauvegarder\u202f?',
    text: (fields: string) => `Pas encore sauvegardé\u00a0: ${fields}.`,
    stay: 'Rester',
    discard: 'Quitter sans sauvegarder',
  },
  preview: {
    title: 'Aperçu',
    help: 'Ce que voient les participants, avec vos modifications. Rien n’est enregistré ici.',
    show: 'Afficher',
    hide: 'Masquer',
    screen: 'Écran',
    steps: {
      welcome: 'Accueil',
      consent: 'Consentement',
      about: 'Questions',
      recording: 'Enregistrement',
      thanks: 'Merci',
      closed: 'Fermé',
    },
  },
  changedBy: (time: string, who: string, fields: string) =>
    `Dernière modification ${time} par ${who}\u00a0: ${fields}`,
  readOnly:
    'Votre rôle permet de lire ces paramètres. Pour les modifier, adressez-vous à un membre de l’espace de travail.',
  remove: 'Supprimer ce projet',
  removeHelp: 'Seront effacés, sans retour possible\u00a0:',
  erased: (counts: { conversations: number; reports: number; webhooks: number; hours: string }) => [
    `${conversations(counts.conversations)}, avec ${counts.hours} d’enregistrements, les transcriptions et les résumés`,
    `${plural(counts.reports, 'rapport', 'rapports')}, y compris la page publiée`,
    `${plural(counts.webhooks, 'webhook', 'webhooks')}, avec le contenu de leurs envois`,
    'la page d’enregistrement et son logo\u202f; le lien et le code QR imprimés ne fonctionneront plus jamais',
    'les textes de consentement et leur historique',
  ],
  kept: 'Le journal d’audit de l’organisation garde la trace de cette suppression.',
}
