export const problems = {
  title: 'Cela n’a pas fonctionné',
  unreachable:
    'Le serveur ne répond pas. Vérifiez votre connexion\u202f; rien de ce que vous avez saisi n’est perdu.',
  unexpected:
    'Une erreur inattendue s’est produite dans cette page. Rechargez-la\u202f; si cela se reproduit, prévenez l’exploitant du service.',
  requestId: (id: string) => `Requête ${id}`,
  notFoundTitle: 'Cette page n’existe pas',
  notFound: 'Le lien est peut-être ancien, ou vous n’avez pas accès à cette page.',
  notAllowedTitle: 'Votre rôle ne donne pas accès à cette page',
  notAllowed: 'Si vous en avez besoin, adressez-vous à un propriétaire ou à un admin de l’espace de travail.',
  home: 'Aller à l’accueil',
  changedByOthers:
    'Quelqu’un d’autre a fait une modification entre-temps. Votre texte est conservé\u202f; regardez la nouvelle version, puis sauvegardez de nouveau.',
}
