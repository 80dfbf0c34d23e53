export const shell = {
  home: 'Startpagina',
  theme: 'Weergave',
  light: 'Licht',
  dark: 'Donker',
  auto: 'Zoals het systeem',
  overview: 'Overzicht',
  conversations: 'Gesprekken',
  reports: 'Rapporten',
  webhooks: 'Webhooks',
  account: 'Account',
  apiReference: 'API-documentatie',
}
