import { plural } from '../shared/plural.ts'

const them = (count: number): string => plural(count, 'conversation', 'conversations')

export const bulk = {
  bar: 'Actions sur les conversations sélectionnées',
  selected: (count: number) => plural(count, 'sélectionnée', 'sélectionnées'),
  select: (title: string) => `Sélectionner ${title}`,
  selectAll: 'Sélectionner toutes celles affichées',
  clear: 'Tout désélectionner',
  tag: 'Étiqueter',
  tagLabel: 'Étiquette',
  tagHelp: 'Les conversations qui l’ont déjà ne changent pas.',
  tagConfirm: 'Ajouter l’étiquette',
  tagTitle: (count: number) => `Ajouter une étiquette à ${them(count)}`,
  retranscribe: 'Transcrire à nouveau',
  download: 'Télécharger les transcriptions',
  remove: 'Supprimer',
  removeTitle: (count: number) => `Supprimer ${them(count)}\u202f?`,
  removeHelp:
    'L’audio, les transcriptions, les résumés et les citations dans tous les rapports seront effacés. Cette action est irréversible.',
  removeConfirm: (count: number) => `Supprimer définitivement ${them(count)}`,
  running: (done: number, total: number) => `${done.toLocaleString('fr')} sur ${total.toLocaleString('fr')}…`,
  outcomes: {
    tag: (count: number) => `Étiquette ajoutée à ${them(count)}.`,
    retranscribe: (count: number) => `Nouvelle transcription en cours pour ${them(count)}.`,
    download: (count: number) =>
      `${plural(count, 'transcription téléchargée', 'transcriptions téléchargées')}.`,
    remove: (count: number) => `${plural(count, 'conversation supprimée', 'conversations supprimées')}.`,
  },
  failed: (count: number) =>
    `Échec pour ${them(count)}, toujours ${count < 2 ? 'sélectionnée' : 'sélectionnées'}\u00a0:`,
  more: (count: number) => `et ${plural(count, 'autre', 'autres')}`,
  fileName: 'transcriptions',
}
