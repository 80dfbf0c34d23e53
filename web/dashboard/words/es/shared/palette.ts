/** The field that goes anywhere, and the list of shortcuts. */
export const palette = {
  title: 'Ir a',
  placeholder: 'Escriba un nombre o palabra…',
  none: 'Nada coincide. Las conversaciones se buscan en el proyecto abierto.',
  searching: 'Buscando…',
  choose: 'elegir',
  open: 'abrir',
  close: 'cerrar',
  kinds: {
    recent: 'Reciente',
    project: 'Proyecto',
    page: 'Página',
    workspace: 'Espacio de trabajo',
    organisation: 'Organización',
    conversation: 'Conversación',
    report: 'Informe',
    webhook: 'Webhook',
  },
  ofStaff: (page: string) => `Personal del servicio: ${page}`,
  shortcuts: 'Atajos de teclado',
  does: {
    goTo: 'Ir a un proyecto, una conversación, un informe o una página',
    search: 'Buscar en la lista de esta página',
    sheet: 'Mostrar estos atajos',
    escape: 'Cerrar un cuadro de diálogo',
  },
}
