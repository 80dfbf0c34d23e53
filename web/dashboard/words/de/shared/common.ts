export const common = {
  retry: 'Erneut versuchen',
  cancel: 'Abbrechen',
  close: 'Schließen',
  save: 'Speichern',
  copy: 'Kopieren',
  copied: 'Kopiert',
  more: 'Mehr anzeigen',
  loading: 'Wird geladen',
  skip: 'Zum Inhalt',
  menu: 'Menü',
  untitled: 'Ohne Titel',
  unknown: 'Noch nicht bekannt',
}
