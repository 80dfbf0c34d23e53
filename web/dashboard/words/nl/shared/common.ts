export const common = {
  retry: 'Opnieuw proberen',
  cancel: 'Annuleren',
  close: 'Sluiten',
  save: 'Opslaan',
  copy: 'Kopiëren',
  copied: 'Gekopieerd',
  more: 'Meer tonen',
  loading: 'Laden',
  skip: 'Naar de inhoud',
  menu: 'Menu',
  untitled: 'Zonder titel',
  unknown: 'Nog niet bekend',
}
