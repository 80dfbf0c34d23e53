export const members = {
  title: 'Membres',
  invite: 'Inviter',
  inviteTitle: 'Inviter quelqu’un',
  email: 'Adresse e-mail',
  role: 'Rôle',
  send: 'Créer l’invitation',
  invited: (email: string) => `Invitation créée pour ${email}`,
  invitedHelp:
    'Parley n’envoie pas d’e-mail. Transmettez vous-même cette adresse à la personne\u00a0: en se connectant avec son adresse e-mail, elle verra l’invitation sur sa page d’accueil.',
  done: 'Terminé',
  signInAddress: 'Adresse de connexion',
  columns: { member: 'Membre', role: 'Rôle', since: 'Depuis', actions: 'Actions' },
  you: 'Vous',
  nameless: 'Nom non disponible',
  roleOf: (name: string) => `Rôle de ${name}`,
  actionsOf: (name: string) => `Actions pour ${name}`,
  remove: 'Retirer',
  leave: 'Quitter',
  removeTitle: (name: string, from: string) => `Retirer ${name} de ${from}\u202f?`,
  removeHelp:
    'Cette personne perd aussitôt son accès, et les invitations en attente qu’elle a envoyées sont retirées. Son travail est conservé.',
  leaveTitle: (from: string) => `Quitter ${from}\u202f?`,
  leaveHelp: 'Vous perdez aussitôt votre accès. Seul un propriétaire ou un admin peut vous le rendre.',
  invitations: 'Invitations en attente',
  expires: 'Expire le',
  withdraw: 'Retirer',
  withdrawOf: (email: string) => `Retirer l’invitation pour ${email}`,
  toOrganisation: 'L’organisation',
  explain: 'Ce que permet chaque rôle',
  roles: {
    owner: 'Propriétaire',
    admin: 'Admin',
    member: 'Membre',
    external: 'Externe',
    observer: 'Observateur',
    billing: 'Facturation',
  },
  inWorkspace: {
    owner: 'Tout, y compris supprimer l’espace de travail.',
    admin:
      'Tout sauf supprimer l’espace de travail\u00a0: membres, webhooks, exports, suppression de projets et de rapports.',
    member:
      'Crée des projets, travaille sur les conversations et les rapports, publie les rapports, voit l’utilisation.',
    external:
      'Travaille dans les projets existants\u00a0: les modifie, corrige les transcriptions, génère des rapports. Ne peut ni supprimer ni publier.',
    observer: 'Lit les projets, les conversations et les rapports. Ne modifie rien.',
    billing: 'Voit seulement l’utilisation, ni les projets ni les conversations.',
  },
  inOrganisation: {
    owner: 'Tout, y compris supprimer l’organisation.',
    admin:
      'Tout sauf supprimer l’organisation\u00a0: espaces de travail, membres, utilisation, journal d’audit.',
    member: 'Fait partie de l’organisation. Ne voit que ses propres espaces de travail.',
    external: 'Comme un membre\u202f; indique une personne extérieure.',
    observer: 'Comme un membre\u202f; indique une personne qui ne fait que suivre.',
    billing: 'Voit l’utilisation de tous les espaces de travail, et rien d’autre.',
  },
  organisationNote:
    'Un rôle dans l’organisation n’ouvre aucun espace de travail\u00a0: ajoutez chaque personne aux espaces où elle travaille.',
}
