import { plural } from '../shared/plural.ts'

export const project = {
  open: 'Enregistrement ouvert',
  closed: 'Enregistrement fermé',
  closedHelp: 'La page du lien indique que le projet est fermé.',
  openIt: 'Ouvrir le projet',
  closeIt: 'Fermer le projet',
  share: 'Partager',
  link: 'Lien d’enregistrement',
  linkHelp: 'Envoyez-le, ou affichez le code dans la salle.',
  short: 'Lien court, à dicter ou à écrire au tableau',
  kiosk: 'Lien pour une tablette partagée',
  kioskHelp: 'Après chaque enregistrement, la page est prête pour la personne suivante.',
  openLink: 'Ouvrir la page d’enregistrement',
  qr: 'Code QR du lien d’enregistrement',
  downloadSvg: 'Télécharger en SVG',
  downloadPng: 'Télécharger en PNG',
  printSheet: 'Affiche à imprimer',
  latest: 'Dernières conversations',
  all: 'Toutes les conversations',
  figures: {
    title: 'Activité',
    conversations: 'Conversations',
    hours: 'Durée enregistrée',
    participants: 'Personnes',
    participantsHelp: 'Noms différents\u202f; chaque conversation sans nom compte pour une personne.',
    today: 'Terminées aujourd’hui',
    recording: (count: number) => `${count.toLocaleString('fr')} en cours d’enregistrement`,
    processing: (count: number) => `${count.toLocaleString('fr')} en traitement`,
    failed: (count: number) => `${count.toLocaleString('fr')} en échec`,
    perDay: 'Conversations par jour',
    day: (date: string, count: number, length: string) =>
      `${date}\u00a0: ${plural(count, 'conversation', 'conversations')}, ${length}`,
    chart: (count: number, days: number) =>
      `${plural(count, 'conversation', 'conversations')} ces ${days} derniers jours`,
    upTo: (count: number) => `jusqu’à ${count.toLocaleString('fr')} par jour`,
    now: 'aujourd’hui',
    none: 'Rien ces 30 derniers jours. Partagez le lien\u00a0: l’activité s’affichera ici.',
  },
}

export const poster = {
  title: 'Affiche à imprimer',
  help: 'Une page pour un mur ou une table. Adaptez les lignes à la langue de votre public\u202f; elles ne sont pas sauvegardées.',
  first: 'Première ligne',
  second: 'Deuxième ligne',
  firstLine: 'Scannez le code avec l’appareil photo de votre téléphone, ou saisissez l’adresse.',
  secondLine: 'Parlez aussi longtemps que vous le souhaitez. Sans application ni compte.',
  print: 'Imprimer',
}
