import { plural } from './plural.ts'

export const reports = {
  title: 'Rapports',
  none: 'Pas encore de rapports',
  noneHelp:
    'Un rapport rassemble ce qui s’est dit dans toutes les conversations\u00a0: des thèmes chiffrés et des citations avec leurs sources.',
  create: 'Nouveau rapport',
  createHelp: 'Il porte sur toutes les conversations terminées de ce projet.',
  name: 'Titre',
  nameHelp: 'Facultatif\u202f; sinon, il est tiré des thèmes',
  instructions: 'Consignes',
  instructionsHelp:
    'Facultatif\u202f; ce que le rapport doit examiner. Utile seulement avec un modèle de langage',
  generate: 'Générer le rapport',
  columns: { report: 'Rapport', status: 'Statut', conversations: 'Conversations', created: 'Création' },
  statuses: { scheduled: 'Planifié', generating: 'En cours', ready: 'Prêt', failed: 'Échec' },
  published: 'Publié',
  progress: (percent: number) => `${percent}\u00a0% terminé`,
  covers: (count: number) => `Porte sur ${plural(count, 'conversation', 'conversations')}`,
  open: 'Ouvrir comme page web',
  voices: (count: number, all: number) => `${count} sur ${all}`,
  inFavour: (count: number) => `${count} pour`,
  against: (count: number) => `${count} contre`,
  themes: 'Thèmes, selon le nombre de personnes qui en ont parlé',
  other: 'Autres propos',
  withdrawn: 'Ces propos ont été retirés.',
  listen: (name: string, time: string) => `Écouter\u00a0: ${name}, à partir de ${time}`,
  readSource: (name: string) => `Lire\u00a0: ${name}`,
  download: 'Télécharger',
  formats: { html: 'Page web', md: 'Markdown', pdf: 'PDF' },
  publish: 'Publier',
  unpublish: 'Ne plus publier',
  publishHelp:
    'Toute personne qui a le lien peut lire un rapport publié. Il ne montre ni nom de participant, ni titre de conversation, ni ID interne.',
  redact: 'Masquer les noms de personnes dans les citations',
  publicLink: 'Lien public',
  failed:
    'Le rapport n’a pas pu être généré. Réessayez\u202f; si l’échec se répète, prévenez l’exploitant du service.',
  remove: 'Supprimer',
  removeTitle: 'Supprimer ce rapport\u202f?',
  removeHelp: 'Le rapport et sa page publique seront effacés. Les conversations sont conservées.',
}
