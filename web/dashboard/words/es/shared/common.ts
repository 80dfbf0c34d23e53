export const common = {
  retry: 'Reintentar',
  cancel: 'Cancelar',
  close: 'Cerrar',
  save: 'Guardar',
  copy: 'Copiar',
  copied: 'Copiado',
  more: 'Mostrar más',
  loading: 'Cargando',
  skip: 'Ir al contenido',
  menu: 'Menú',
  untitled: 'Sin título',
  unknown: 'Aún no se sabe',
}
