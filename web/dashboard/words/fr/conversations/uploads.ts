import { plural } from '../shared/plural.ts'

export const uploads = {
  choose: 'Importer de l’audio',
  title: 'Importations',
  drop: 'Déposez des fichiers audio pour les importer',
  help: (max: string) =>
    `Enregistrements dans tous les formats courants, jusqu’à ${max} chacun. Chaque fichier devient une conversation.`,
  states: {
    queued: 'En attente des fichiers précédents',
    sending: 'Importation',
    waiting: 'Reprendra au retour de la connexion',
    done: 'Importé',
    failed: 'Non importé',
  },
  progress: (name: string) => `Progression\u00a0: ${name}`,
  sent: (sent: string, total: string) => `${sent} sur ${total}`,
  interrupted: 'Interrompu. Choisissez de nouveau le même fichier pour continuer.',
  open: 'Ouvrir',
  cancel: (name: string) => `Annuler l’importation\u00a0: ${name}`,
  cancelShort: 'Annuler',
  remove: (name: string) => `Retirer ${name} de la liste`,
  removeShort: 'Retirer',
  forget: 'Oublier',
  clear: 'Vider la liste',
  doneCount: (count: number) => plural(count, 'fichier importé', 'fichiers importés'),
}
