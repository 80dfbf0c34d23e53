import { plural } from '../shared/plural.ts'

export const webhooks = {
  title: 'Webhooks',
  allEvents: 'Tous les événements et leurs champs',
  intro: 'Parley envoie une requête signée à votre adresse lorsqu’un événement se produit dans ce projet.',
  none: 'Pas encore de webhooks',
  noneHelp:
    'Ajoutez l’adresse de votre système. Vous pouvez envoyer un test aussitôt, sans attendre d’événement.',
  create: 'Nouveau webhook',
  columns: { webhook: 'Webhook', health: 'État', last: 'Dernière tentative' },
  never: 'Jamais',
  full: (max: number) => `Un projet peut avoir ${max} webhooks. Supprimez-en un pour en ajouter un autre.`,
  tierTitle: 'Les webhooks font partie de la formule Changemaker',
  tierHelp: (tier: string) =>
    `Cet espace de travail a la formule ${tier}. Avec Changemaker ou Guardian, d’autres systèmes sont prévenus par des requêtes signées lorsqu’une conversation commence, est transcrite ou résumée, et lorsqu’un rapport est prêt. Pour changer de formule, adressez-vous au propriétaire de votre organisation.`,
  tierKept:
    'Les webhooks existants sont conservés. Quelle que soit la formule, les événements sont mémorisés et pourront être rejoués plus tard.',
  tiers: {
    free: 'Free',
    innovator: 'Innovator',
    changemaker: 'Changemaker',
    guardian: 'Guardian',
  } as Record<string, string>,

  states: { new: 'Jamais utilisé', ok: 'Fonctionne', failing: 'En échec', disabled: 'Désactivé' },
  failuresInRow: (count: number) => plural(count, 'échec de suite', 'échecs de suite'),
  missed: (count: number) =>
    `${count.toLocaleString('fr')}${count >= 10_000 ? '+' : ''} ${count < 2 ? 'manqué' : 'manqués'}`,
  reasons: {
    manual:
      'Il a été désactivé manuellement. Tant qu’il n’est pas réactivé, les événements sont notés comme manqués.',
    gone: 'Le récepteur a renvoyé 410 Gone\u00a0: le webhook a été désactivé. Vérifiez l’adresse, puis réactivez-le.',
    failing:
      'Aucun envoi n’a abouti pendant 5 jours\u00a0: le webhook a été désactivé. Réparez le récepteur, envoyez un test, puis réactivez-le.',
    staff: 'L’équipe du service l’a désactivé. Elle seule peut le réactiver.',
    secret_unreadable:
      'Son secret ne peut plus être déchiffré. Définissez un nouveau secret, puis réactivez-le.',
  },
  failingTitle: (count: number) =>
    count === 1
      ? 'La dernière tentative a échoué'
      : `Les ${count.toLocaleString('fr')} dernières tentatives ont échoué`,
  lastResponse: (status: number) => `Dernière réponse\u00a0: ${status}`,
  lastSuccess: (time: string) => `Dernier succès\u00a0: ${time}`,
  failingHelp:
    'Parley continue d’essayer\u00a0: jusqu’à 11 tentatives en 76 heures pour chaque événement. Après 5 échecs de suite, il n’envoie plus qu’une requête à la fois, jusqu’à ce que l’une aboutisse.',
  missedTitle: (count: number) => plural(count, 'envoi manqué', 'envois manqués'),
  missedHelp: 'Les événements sont conservés. Rejouez-les quand le récepteur fonctionnera de nouveau.',
  unsigned: 'Sans signature',
  unsignedHelp:
    'Les requêtes ne sont pas signées\u00a0: le récepteur ne peut pas savoir si elles viennent de Parley.',
  weak: 'Secret faible',
  weakHelp: 'Le secret a moins de 16 caractères.',

  form: {
    url: 'Adresse',
    urlHelp: 'Les requêtes y sont envoyées par POST',
    urlPlaceholder: 'https://example.org/hooks/parley',
    name: 'Nom',
    nameHelp: 'Facultatif\u202f; pour distinguer les webhooks',
    events: 'Événements',
    eventsHelp: 'Ce qui est signalé au récepteur',
    payload: 'Contenu',
    payloads: { full: 'Tout', ids: 'ID seulement' },
    payloadHelp: {
      full: 'La requête contient les noms, les titres, la transcription et le résumé.',
      ids: 'La requête indique ce qui s’est passé. Le récepteur lit le contenu via l’API.',
    },
    secret: 'Secret',
    secretKinds: { generate: 'Générer', type: 'Saisir', none: 'Aucun' },
    secretHelp: {
      generate: 'Un secret fort est créé et affiché une seule fois.',
      type: 'Vous le saisissez ici et dans le récepteur. Il ne sera plus affiché.',
      none: 'Les requêtes ne sont pas signées. Quiconque connaît l’adresse peut les imiter.',
    },
    typed: 'Votre secret',
    removeSecret: 'Ne plus signer',
    removeSecretTitle: 'Ne plus signer les requêtes\u202f?',
    removeSecretHelp:
      'Le secret est supprimé immédiatement. Un récepteur qui vérifie les signatures refusera dès lors toutes les requêtes.',
    add: 'Créer le webhook',
    save: 'Sauvegarder',
    saved: 'Sauvegardé',
    discard: 'Annuler les modifications',
    http: 'Non chiffré. Le service n’accepte http que si son exploitant l’autorise.',
    errors: {
      url: 'Saisissez une adresse complète, par exemple https://example.org/hooks',
      scheme: 'L’adresse doit commencer par https://',
      userinfo: 'L’adresse ne doit contenir ni nom d’utilisateur ni mot de passe',
      fragment: 'L’adresse ne doit pas contenir de partie après #',
      long: 'L’adresse est trop longue\u00a0: 2\u202f048 caractères au maximum',
      events: 'Choisissez au moins un événement',
      secretEmpty: 'Saisissez un secret, ou laissez Parley en générer un',
      secretBase64: 'Après whsec_, il faut du base64 valide',
      secretNul: 'Le secret contient un caractère non autorisé',
    },
  },
  eventNames: {
    'conversation.started': 'Conversation commencée',
    'conversation.transcribed': 'Transcription prête',
    'conversation.summarized': 'Résumé prêt',
    'report.generated': 'Rapport prêt',
    'webhook.test': 'Test',
  } as Record<string, string>,

  secretOnceTitle: 'Conservez ce secret maintenant',
  secretOnce: 'Le récepteur en a besoin pour vérifier les signatures. Il ne s’affiche qu’une fois.',
  secretStored: 'Je l’ai conservé',

  tabs: { deliveries: 'Envois', guide: 'Guide', settings: 'Paramètres' },
  more: 'Autres actions',
  enable: 'Activer',
  disable: 'Désactiver',
  disableTitle: 'Désactiver ce webhook\u202f?',
  disableHelp:
    'Rien ne lui est envoyé tant qu’il est désactivé. Les envois en attente et les nouveaux sont marqués comme manqués\u202f; ils sont conservés et peuvent être rejoués.',
  remove: 'Supprimer',
  removeTitle: 'Supprimer ce webhook\u202f?',
  removeHelp:
    'Ses envois en attente sont annulés et son journal n’est plus accessible. Cette action est irréversible.',
  removeConfirm: 'Supprimer définitivement',

  rotate: 'Renouveler le secret',
  rotateHelp:
    'Le nouveau secret sert dès maintenant à signer les requêtes. Pendant la transition, elles portent les deux signatures\u00a0: vous pouvez modifier le récepteur sans perdre un envoi.',
  rotateUnsigned: 'Les requêtes seront désormais signées.',
  overlap: 'Transition',
  overlaps: {
    '0': 'Aucune\u00a0: l’ancien secret expire maintenant',
    '3600': '1 heure',
    '86400': '1 jour',
    '604800': '7 jours',
  },
  rotateNow: 'Renouveler',
  rotated: 'Les requêtes sont désormais signées avec le nouveau secret.',
  oldValidUntil: (time: string) => `L’ancien secret reste utilisé en parallèle jusqu’au ${time}.`,
  oldEnded: 'L’ancien secret n’est plus utilisé.',

  test: 'Envoyer un test',
  testHelp:
    'Une requête avec des données d’exemple est envoyée tout de suite, même si le webhook est désactivé. L’état du webhook n’en est pas modifié.',
  testEvent: 'Exemple de',
  testSend: 'Envoyer',
  testAgain: 'Envoyer à nouveau',
  testOk: (status: number, ms: number) =>
    `Le récepteur a répondu ${status} en ${ms.toLocaleString('fr')}\u00a0ms`,
  testFailed: 'Le récepteur n’a pas accepté le test',

  replay: 'Rejouer des événements',
  replayHelp:
    'Envoie de nouveau les événements d’une période, sous forme de nouveaux envois avec les mêmes ID d’événement. En cas d’échec, les tentatives suivent le rythme habituel.',
  replayOnly: 'Lesquels',
  replayKinds: {
    undelivered: 'Échoués et manqués',
    failed: 'Échoués seulement',
    missed: 'Manqués seulement',
    all: 'Tous, même déjà livrés',
  },
  replayAllHelp: 'Votre récepteur recevra des événements qu’il a déjà. Il peut les reconnaître à leur ID.',
  replayStart: 'Lancer le rejeu',
  replayDisabled: 'Activez d’abord le webhook\u00a0: le rejeu est impossible tant qu’il est désactivé.',
  replayStates: { running: 'Rejeu en cours', done: 'Rejeu terminé', cancelled: 'Rejeu annulé' },
  replayProgress: (done: number, total: number) =>
    `Traités\u00a0: ${done.toLocaleString('fr')} sur ${total.toLocaleString('fr')}`,
  replayFailed: (count: number) => plural(count, 'échec', 'échecs'),
  replayNothing: 'Il n’y avait rien à rejouer sur cette période.',
  replayCancel: 'Annuler le rejeu',
  replayHide: 'Masquer',
  since: 'À partir du',
  until: 'Jusqu’au',
  untilHelp: 'Vide\u00a0: jusqu’à maintenant',
}
