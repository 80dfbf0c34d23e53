export const start = {
  title: 'Drei Namen, und die Aufnahmen können beginnen',
  help: 'Sie können sie später ändern.',
  organisation: 'Organisation',
  organisationHelp: 'Wer fragt, zum Beispiel „Stadt Freiburg“',
  workspace: 'Arbeitsbereich',
  workspaceHelp: 'Ein Team oder Programm, zum Beispiel „Bürgerbeteiligung“',
  project: 'Projekt',
  projectHelp: 'Worum es geht, zum Beispiel „Der neue Park“',
  go: 'Aufnahmelink erstellen',
}
