export const start = {
  title: 'Drie namen, en het opnemen kan beginnen',
  help: 'Je kunt ze later nog wijzigen.',
  organisation: 'Organisatie',
  organisationHelp: 'Wie de vraag stelt, bijvoorbeeld ‘Stad Gent’',
  workspace: 'Werkruimte',
  workspaceHelp: 'Een team of programma, bijvoorbeeld ‘Participatie’',
  project: 'Project',
  projectHelp: 'Waar je vraag over gaat, bijvoorbeeld ‘Het nieuwe park’',
  go: 'Opnamelink maken',
}
