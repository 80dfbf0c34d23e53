import { members } from './members.ts'

const roles: Record<string, string> = members.roles

export const home = {
  title: 'Startpagina',
  invitations: 'Uitnodigingen',
  invitedTo: (name: string, role: string) =>
    `Je bent uitgenodigd voor ‘${name}’, met de rol ${roles[role] ?? role}.`,
  accept: 'Aannemen',
  decline: 'Afwijzen',
  noProjects: 'Nog geen projecten',
  noProjectsHelp: 'Een project is één luisterronde, met een link waarmee mensen een opname maken.',
  newProject: 'Nieuw project',
  projectName: 'Naam van het project',
  create: 'Aanmaken',
  open: 'Open',
  closed: 'Gesloten',
  noAccess: 'Je hebt nog geen werkruimte',
  noAccessHelp: 'Maak een organisatie aan, of vraag een collega om je uit te nodigen.',
}
