export const home = {
  title: 'Startpagina',
  invitations: 'Uitnodigingen',
  invitedTo: (name: string, role: string) => `Je bent uitgenodigd voor ‘${name}’, met de rol ${role}.`,
  accept: 'Aannemen',
  decline: 'Afwijzen',
  noProjects: 'Nog geen projecten',
  noProjectsHelp: 'Een project is één luisterronde, met een link waarmee mensen een opname maken.',
  newProject: 'Nieuw project',
  projectName: 'Naam van het project',
  create: 'Aanmaken',
  open: 'Open',
  closed: 'Gesloten',
}
