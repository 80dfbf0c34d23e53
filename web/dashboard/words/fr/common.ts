export const common = {
  retry: 'Réessayer',
  cancel: 'Annuler',
  save: 'Sauvegarder',
  copy: 'Copier',
  copied: 'Copié',
  more: 'Afficher plus',
  loading: 'Chargement',
  skip: 'Aller au contenu',
  menu: 'Menu',
  untitled: 'Sans titre',
  unknown: 'Pas encore connu',
  openInNewTab: 's’ouvre dans un nouvel onglet',
}
