export const start = {
  title: 'Tres nombres y ya se puede grabar',
  help: 'Se pueden cambiar más tarde.',
  organisation: 'Organización',
  organisationHelp: 'Quién pregunta, por ejemplo «Ciudad de Gante»',
  workspace: 'Espacio de trabajo',
  workspaceHelp: 'Un equipo o un programa, por ejemplo «Participación»',
  project: 'Proyecto',
  projectHelp: 'Sobre qué se pregunta, por ejemplo «El nuevo parque»',
  go: 'Crear el enlace de grabación',
}
