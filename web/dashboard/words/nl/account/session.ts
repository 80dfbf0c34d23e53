export const session = {
  title: 'Inloggen',
  again: 'Log opnieuw in',
  againHelp: 'Je sessie is verlopen. Op deze pagina gaat niets verloren.',
  email: 'E-mailadres',
  password: 'Wachtwoord',
  code: 'Eenmalige code',
  codeHelp: 'Zes cijfers uit je authenticator-app',
  signIn: 'Inloggen',
  signOut: 'Uitloggen',
  wrong_password:
    'Het e-mailadres of het wachtwoord klopt niet. Na veel foute pogingen wordt inloggen 15 minuten geblokkeerd.',
  code_needed: 'Dit account heeft tweestapsverificatie. Vul de code uit je authenticator-app in.',
  wrong_code: 'De code klopt niet of is verlopen. Vul de nieuwste code in.',
  too_many: 'Te veel pogingen. Wacht een minuut en probeer het opnieuw.',
  other: 'De identiteitsdienst liet je niet inloggen. Vraag het je beheerder.',
  otherAddress: (url: string) => `Inloggen kan alleen op ${url}.`,
}
