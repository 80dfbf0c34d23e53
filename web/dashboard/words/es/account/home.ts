export const home = {
  title: 'Inicio',
  invitations: 'Invitaciones',
  invitedTo: (name: string, role: string) => `Tiene una invitación a ${name} con el rol ${role}.`,
  accept: 'Aceptar',
  decline: 'Rechazar',
  noProjects: 'Aún no hay proyectos',
  noProjectsHelp:
    'Un proyecto es una consulta: tiene un enlace con el que la gente graba lo que quiere decir.',
  newProject: 'Nuevo proyecto',
  projectName: 'Nombre del proyecto',
  create: 'Crear',
  open: 'Abierto',
  closed: 'Cerrado',
}
