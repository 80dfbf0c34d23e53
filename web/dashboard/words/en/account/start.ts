export const start = {
  title: 'Three names, and people can record',
  help: 'You can change them later.',
  organisation: 'Organisation',
  organisationHelp: 'Who asks, for example “City of Ghent”',
  workspace: 'Workspace',
  workspaceHelp: 'A team or a programme, for example “Participation”',
  project: 'Project',
  projectHelp: 'What you ask about, for example “The new park”',
  go: 'Create the recording link',
}
