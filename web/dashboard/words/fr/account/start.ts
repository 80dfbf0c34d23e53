export const start = {
  title: 'Trois noms, et les enregistrements peuvent commencer',
  help: 'Vous pourrez les changer plus tard.',
  organisation: 'Organisation',
  organisationHelp: 'Qui pose la question, par exemple «\u00a0Ville de Gand\u00a0»',
  workspace: 'Espace de travail',
  workspaceHelp: 'Une équipe ou un programme, par exemple «\u00a0Participation\u00a0»',
  project: 'Projet',
  projectHelp: 'Le sujet de la question, par exemple «\u00a0Le nouveau parc\u00a0»',
  go: 'Créer le lien d’enregistrement',
}
