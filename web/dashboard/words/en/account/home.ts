export const home = {
  title: 'Home',
  invitations: 'Invitations',
  invitedTo: (name: string, role: string) => `You are invited to ${name} with the role ${role}.`,
  accept: 'Accept',
  decline: 'Decline',
  noProjects: 'No projects yet',
  noProjectsHelp: 'A project is one round of listening: it has a link on which people record.',
  newProject: 'New project',
  projectName: 'Name of the project',
  create: 'Create',
  open: 'Open',
  closed: 'Closed',
}
