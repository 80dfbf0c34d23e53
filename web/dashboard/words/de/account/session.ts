export const session = {
  title: 'Anmelden',
  again: 'Bitte melden Sie sich erneut an',
  againHelp: 'Ihre Sitzung ist abgelaufen. Auf dieser Seite geht nichts verloren.',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  code: 'Einmalcode',
  codeHelp: 'Sechs Ziffern aus Ihrer Authenticator-App',
  signIn: 'Anmelden',
  signOut: 'Abmelden',
  wrong_password:
    'E-Mail-Adresse oder Passwort ist falsch. Nach vielen Fehlversuchen wird die Anmeldung 15 Minuten gesperrt.',
  code_needed: 'Dieses Konto hat einen zweiten Faktor. Geben Sie den Code aus Ihrer Authenticator-App ein.',
  wrong_code: 'Der Code ist falsch oder abgelaufen. Geben Sie den neuesten ein.',
  too_many: 'Zu viele Versuche. Warten Sie eine Minute und versuchen Sie es dann noch einmal.',
  other: 'Der Identitätsdienst hat die Anmeldung abgelehnt. Fragen Sie den Betreiber.',
  otherAddress: (url: string) => `Die Anmeldung funktioniert nur unter ${url}.`,
}
