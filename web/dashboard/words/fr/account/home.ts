export const home = {
  title: 'Accueil',
  invitations: 'Invitations',
  invitedTo: (name: string, role: string) => `On vous invite à rejoindre ${name} avec le rôle ${role}.`,
  accept: 'Accepter',
  decline: 'Refuser',
  noProjects: 'Pas encore de projets',
  noProjectsHelp: 'Un projet, c’est une consultation\u00a0: les gens s’enregistrent grâce à son lien.',
  newProject: 'Nouveau projet',
  projectName: 'Nom du projet',
  create: 'Créer',
  open: 'Ouvert',
  closed: 'Fermé',
}
