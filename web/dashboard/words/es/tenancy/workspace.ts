import { plural } from '../shared/plural.ts'

export const workspace = {
  overview: 'Espacio de trabajo',
  members: 'Miembros',
  settings: 'Ajustes',
  projects: 'Proyectos',
  noRole: 'No tiene ningún rol en este espacio de trabajo',
  noRoleHelp:
    'Usted gestiona la organización, así que puede añadir y quitar miembros. Para ver los proyectos, asígnese un rol.',
  join: 'Añadirme como admin',
  noProjects: 'Su rol no incluye los proyectos',
  noProjectsHelp: 'Pida otro rol a un propietario o admin de este espacio de trabajo.',
  name: 'Nombre',
  saved: 'Guardado',
  export: 'Exportación',
  exportHelp:
    'Un zip con todo lo que hay en este espacio de trabajo: proyectos, transcripciones, resúmenes, informes y, si quiere, las grabaciones.',
  withAudio: 'Incluir las grabaciones',
  prepare: 'Preparar la exportación',
  ready: 'La exportación está lista',
  readyHelp: (time: string) =>
    `El zip se crea mientras se descarga; el navegador muestra el progreso. El enlace funciona hasta el ${time}.`,
  download: 'Descargar el zip',
  remove: 'Eliminar este espacio de trabajo',
  removeHelp: 'Se borrará lo siguiente, sin posibilidad de recuperarlo:',
  erased: (counts: {
    projects: number
    conversations: number
    reports: number
    webhooks: number
    members: number
    hours: string
  }) => [
    `${plural(counts.projects, 'proyecto', 'proyectos')}, con enlaces de grabación y códigos QR`,
    `${plural(counts.conversations, 'conversación', 'conversaciones')}, con ${counts.hours} de grabaciones, transcripciones y resúmenes`,
    `${plural(counts.reports, 'informe', 'informes')}, también las páginas publicadas`,
    `${plural(counts.webhooks, 'webhook', 'webhooks')}, con el contenido de sus entregas`,
    `el acceso de ${plural(counts.members, 'miembro', 'miembros')} y las invitaciones pendientes`,
  ],
  kept: 'El registro de auditoría de la organización deja constancia de que usted lo eliminó.',
}
