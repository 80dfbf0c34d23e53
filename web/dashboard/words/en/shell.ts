export const shell = {
  home: 'Home',
  theme: 'Theme',
  light: 'Light',
  dark: 'Dark',
  auto: 'Like the system',
  overview: 'Overview',
  conversations: 'Conversations',
  reports: 'Reports',
  webhooks: 'Webhooks',
  account: 'Account',
  apiReference: 'API reference',
}
