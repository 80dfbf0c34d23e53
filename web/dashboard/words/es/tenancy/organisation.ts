import { plural } from '../shared/plural.ts'

export const organisation = {
  overview: 'Organización',
  others: 'Otras organizaciones',
  members: 'Miembros',
  audit: 'Registro de auditoría',
  settings: 'Ajustes',
  workspaces: 'Espacios de trabajo',
  yourWorkspaces: 'Sus espacios de trabajo',
  newWorkspace: 'Nuevo espacio de trabajo',
  workspaceName: 'Nombre del espacio de trabajo',
  noWorkspaces: 'Aún no hay espacios de trabajo',
  noWorkspacesHelp: 'Un espacio de trabajo reúne los proyectos y miembros de un equipo o programa.',
  noneOfYours: 'Aquí no es miembro de ningún espacio de trabajo',
  noneOfYoursHelp: 'Pida a un propietario o admin de la organización que le añada a uno.',
  noRole: 'Sin rol',
  name: 'Nombre',
  remove: 'Eliminar esta organización',
  removeHelp: 'Se borrará lo siguiente, sin posibilidad de recuperarlo:',
  erased: (counts: {
    workspaces: number
    projects: number
    conversations: number
    reports: number
    webhooks: number
    hours: string
  }) => [
    `${plural(counts.workspaces, 'espacio de trabajo', 'espacios de trabajo')}, con miembros e invitaciones`,
    `${plural(counts.projects, 'proyecto', 'proyectos')}, con enlaces de grabación y códigos QR`,
    `${plural(counts.conversations, 'conversación', 'conversaciones')}, con ${counts.hours} de grabaciones, transcripciones y resúmenes`,
    `${plural(counts.reports, 'informe', 'informes')}, también las páginas publicadas`,
    `${plural(counts.webhooks, 'webhook', 'webhooks')}, con el contenido de sus entregas`,
  ],
}
