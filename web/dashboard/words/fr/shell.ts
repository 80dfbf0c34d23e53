export const shell = {
  home: 'Accueil',
  theme: 'Thème',
  light: 'Clair',
  dark: 'Sombre',
  auto: 'Système',
  overview: 'Vue d’ensemble',
  conversations: 'Conversations',
  reports: 'Rapports',
  webhooks: 'Webhooks',
  account: 'Compte',
  apiReference: 'Référence de l’API',
}
