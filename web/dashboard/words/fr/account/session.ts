export const session = {
  title: 'Connexion',
  again: 'Veuillez vous reconnecter',
  againHelp: 'Votre session a pris fin. Cette page reste telle quelle.',
  email: 'Adresse e-mail',
  password: 'Mot de passe',
  code: 'Code à usage unique',
  codeHelp: 'Les six chiffres de votre application d’authentification',
  signIn: 'Se connecter',
  signOut: 'Se déconnecter',
  wrong_password:
    'L’adresse e-mail ou le mot de passe est incorrect. Après de nombreuses erreurs, la connexion est bloquée pendant 15 minutes.',
  code_needed:
    'Ce compte est protégé par un second facteur. Saisissez le code de votre application d’authentification.',
  wrong_code: 'Le code est incorrect ou a expiré. Saisissez le plus récent.',
  too_many: 'Trop de tentatives. Attendez une minute, puis réessayez.',
  other: 'Le service d’identité a refusé la connexion. Adressez-vous à l’exploitant du service.',
  otherAddress: (url: string) => `La connexion fonctionne uniquement sur ${url}.`,
}
