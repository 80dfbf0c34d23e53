/** The field that goes anywhere, and the list of shortcuts. */
export const palette = {
  title: 'Ga naar',
  placeholder: 'Typ een naam of een woord…',
  none: 'Niets gevonden. Gesprekken worden gezocht in het geopende project.',
  searching: 'Zoeken…',
  choose: 'kiezen',
  open: 'openen',
  close: 'sluiten',
  kinds: {
    recent: 'Recent',
    project: 'Project',
    page: 'Pagina',
    workspace: 'Werkruimte',
    organisation: 'Organisatie',
    conversation: 'Gesprek',
    report: 'Rapport',
    webhook: 'Webhook',
  },
  ofStaff: (page: string) => `Serviceteam: ${page}`,
  shortcuts: 'Sneltoetsen',
  does: {
    goTo: 'Naar een project, gesprek, rapport of pagina gaan',
    search: 'Zoeken in de lijst op deze pagina',
    sheet: 'Deze sneltoetsen tonen',
    escape: 'Een venster sluiten',
  },
}
