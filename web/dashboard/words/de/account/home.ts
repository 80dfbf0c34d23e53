export const home = {
  title: 'Startseite',
  invitations: 'Einladungen',
  invitedTo: (name: string, role: string) => `Sie sind zu „${name}“ eingeladen, mit der Rolle ${role}.`,
  accept: 'Annehmen',
  decline: 'Ablehnen',
  noProjects: 'Noch keine Projekte',
  noProjectsHelp:
    'Ein Projekt ist eine Zuhörrunde: Über seinen Link nehmen Menschen auf, was sie zu sagen haben.',
  newProject: 'Neues Projekt',
  projectName: 'Name des Projekts',
  create: 'Erstellen',
  open: 'Offen',
  closed: 'Geschlossen',
}
