export const common = {
  retry: 'Réessayer',
  cancel: 'Annuler',
  close: 'Fermer',
  save: 'Sauvegarder',
  copy: 'Copier',
  copied: 'Copié',
  more: 'Afficher plus',
  loading: 'Chargement',
  skip: 'Aller au contenu',
  menu: 'Menu',
  untitled: 'Sans titre',
  unknown: 'Pas encore connu',
}
