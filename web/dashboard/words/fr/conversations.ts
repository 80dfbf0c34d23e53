import { plural } from './plural.ts'

export const conversations = {
  title: 'Conversations',
  search: 'Chercher dans les noms, titres et transcriptions',
  status: 'Statut',
  source: 'Source',
  tag: 'Étiquette',
  anyStatus: 'Tous les statuts',
  anySource: 'Toutes les sources',
  clear: 'Effacer les filtres',
  none: 'Pas encore de conversations',
  noneHelp: 'Ouvrez le lien d’enregistrement sur un téléphone et dites quelques mots.',
  noMatch: 'Aucune conversation ne correspond',
  noMatchHelp: 'Essayez avec moins de filtres ou un autre mot.',
  statuses: {
    recording: 'Enregistrement',
    transcribing: 'Transcription',
    summarizing: 'Résumé en cours',
    done: 'Terminée',
    failed: 'Échec',
  },
  sources: { portal_audio: 'Enregistrée', portal_text: 'Écrite', upload: 'Importée' },
  columns: { conversation: 'Conversation', status: 'Statut', length: 'Durée', started: 'Début' },
  anonymous: 'Anonyme',
  loaded: (count: number) => plural(count, 'conversation', 'conversations'),
}
