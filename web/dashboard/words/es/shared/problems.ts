export const problems = {
  title: 'No ha funcionado',
  unreachable: 'El servidor no responde. Compruebe la conexión; no se ha perdido nada de lo escrito.',
  unexpected:
    'Se ha producido un error inesperado en esta página. Vuelva a cargarla; si ocurre otra vez, avise al operador del servicio.',
  requestId: (id: string) => `Solicitud ${id}`,
  notFoundTitle: 'Esta página no existe',
  notFound: 'Puede que el enlace sea antiguo o que no tenga acceso a esta página.',
  notAllowedTitle: 'Su rol no incluye esta página',
  notAllowed: 'Si la necesita, hable con un propietario o admin del espacio de trabajo.',
  home: 'Ir a la página de inicio',
  changedByOthers:
    'Otra persona ha hecho cambios mientras tanto. Su texto se conserva; revise la nueva versión y guarde otra vez.',
}
