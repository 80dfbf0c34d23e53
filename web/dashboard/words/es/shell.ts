export const shell = {
  home: 'Inicio',
  theme: 'Tema',
  light: 'Claro',
  dark: 'Oscuro',
  auto: 'Sistema',
  overview: 'Vista general',
  conversations: 'Conversaciones',
  reports: 'Informes',
  webhooks: 'Webhooks',
  account: 'Cuenta',
  apiReference: 'Referencia de la API',
}
