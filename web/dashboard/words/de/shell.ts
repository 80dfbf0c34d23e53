export const shell = {
  home: 'Startseite',
  theme: 'Darstellung',
  light: 'Hell',
  dark: 'Dunkel',
  auto: 'Wie das System',
  overview: 'Übersicht',
  conversations: 'Gespräche',
  reports: 'Berichte',
  webhooks: 'Webhooks',
  account: 'Konto',
  apiReference: 'API-Referenz',
}
