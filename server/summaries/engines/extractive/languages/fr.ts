import type { Cues } from './cues.ts'

export const fr: Cues = {
  code: 'fr',
  asks: [
    "ce qui (?:nous |me )?manque|(?:il|nous) (?:nous |me )?manque(?:nt)?|(?:je|nous) (?:ne )?(?:suis|sommes) (?:(?:plutôt|vraiment|tout à fait|absolument|aussi|pas) ){0,2}pour(?! (?:\\d|deux|trois|l'instant))|favorables? (?:à|aux?)|en faveur d|en faveur (?:de|du|des)|(?:je soutiens|nous soutenons)|(?:bonne|excellente|super) idée",
    "il (?:faut|faudrait|nous faut|nous faudrait|me faut|me faudrait)|faut|faudrait|(?:je|on|nous) (?:voudrais|voudrait|voudrions|souhaite|souhaiterais|souhaitons|demande|demandons|propose|proposons|espère|espérons|veux|veut|voulons|réclame|réclamons)|j'(?:aimerais|espère|attends)|(?:on|nous) aimer(?:ait|ions)|aimerais|aimerait|besoin|s'il (?:vous|te) pla[iî]t|svp",
    "(?:ce|ça) serait|(?!pourrais)\\p{L}+r(?:ais|ait|aient|ions)|(?:doit|doivent|devrait|devraient|devrions)(?! aller| rentrer)|pourr(?:ait|aient|iez|ions)|pouvez-vous|pourquoi (?:pas|ne)|vous demande|on cherche|je cherche|il manque|manque de|qu'on (?:\\p{L}+ ){0,2}(?:puisse|ait|fasse|mette)|que (?:la|le|les) (?:mairie|ville|commune|police) (?:\\p{L}+ )?\\p{L}+|arrêtez|il est temps|quand (?:est|sera|seront|va|vont|aura|aurons|allez|pensez)|mon souhait|prêt(?:e|s)? à",
  ].join('|'),
  commands:
    "\\p{L}{2,}ez(?: surtout| donc| nous| y| pas)?|mettez|faites|laissez|qu'(?:on|ils?|elles?)|que (?:la|le|les|nos|notre|ces?|cette|chacun|quelqu'un)|que l'\\p{L}+",
  objects: [
    "(?<!rien )contre (?:un|une|le|la|les|l'|ce|cette|ces|des|tout|cela|ça)|(?:suis|sommes|est) contre|m'oppose|nous opposons|opposée?s?|pas d'accord|(?:ne |n'|n'en |en )(?:veux|veut|voulons|souhaite|souhaitons) pas|(?:ne (?:\\p{L}+ ){0,1}|n')\\p{L}+ez (?:surtout )?pas|pas besoin|(?:n'est|c'est) pas (?:nécessaire|utile)|inutile|plus de (?:ces|ce)|pas (?:d'autres?|un autre|une autre|un nouveau|une nouvelle|encore un|encore une)|surtout pas|n'aime pas que|refus\\p{L}*|rejett?(?:e|ons)|(?<!pas une )mauvaise idée",
  ].join('|'),
  worries: [
    "gâch\\p{L}*|défigur\\p{L}*|ruin\\p{L}*|dégoûtan\\p{L}*|dégueulasse\\p{L}*|écœuran\\p{L}*|immonde|va trop loin|(?:a|ont) (?:mon|notre) (?:vote|soutien)|va y avoir un (?:accident|mort|drame)|peur|panique|(?:fend|brise|serre) le c(?:œ|oe)ur|(?:me|nous) rend (?:tristes?|malades?)|inqui[eèé]t\\p{L}*|crain(?:s|t|dre|te|tes)|angoiss\\p{L}*|dangereu\\p{L}*|danger|pas en sécurité|insécurité|en (?:ai|a|avons) (?:marre|assez)|marre|ras[- ]le[- ]bol|n'en peu(?:x|t) plus|n'en pouvons plus|insupportable|inadmissible|inacceptable|scandal\\p{L}*|injuste|honte\\p{L}*|pas normal|c'est dommage|épouvantable|colère|énerv\\p{L}*|trop (?:cher|chers|chère|chères|élevée?s?|dur|bruyante?s?|forte?|vite|dangereu\\p{L}+)|ne peux (?:plus|pas) (?:dormir|me le permettre)|dorm\\p{L}* (?:plus|pas)",
  ].join('|'),
  complains:
    '(?:me|nous) (?:fait|font) (?:mal|de la peine)|trop|problème|cassée?s?|jamais|personne|aucune?|mais|sale|plus|panne|supprimée?',
  fails:
    "(?:arrive|arrives|arrivons|arrivent|peut|peux|pouvons|peuvent|trouve|trouvons|passe|passent|sait|marche|marchent|fonctionne|ose) (?:pas|plus|même pas)|n'(?:ai|as|a|avons|avez|ont|y a|est|ose|arrive|en peux) (?:\\p{L}+ )?plus|ne (?:\\p{L}+ ){1,2}plus|toujours pas|même pas|(?:beaucoup|bien|vraiment) trop|trop (?:petite?s?|sombres?|étroite?s?|courte?s?|tard|tôt|loin|lente?s?|vieux|peu|longs?|longues?|chaud|froid|pleine?s?|chers?|chères?)|nulle part|impossible|à chaque fois|encore une fois|pleine?s? de (?:trous|déchets|verre|eau)|passe mon temps|passe ma vie|à peine",
  ifs: "si|s'(?=ils? )",
  openers:
    "bonjour|bonsoir|salut|alors|bon|ben|bah|euh+|hum+|oui|non|voilà|donc|et|mais|ou|car|enfin|franchement|honnêtement|vous savez|tu sais|écoutez|écoute|bref|moi|nous|alors moi|merci|d'accord|ok|en fait|je pense que|je trouve que|je crois que|mon dieu",
  greetings:
    'bonjour|bonsoir|salut|coucou|allô|bienvenue|au revoir|à (?:bientôt|demain|plus tard|plus|la prochaine)|adieu|bonne (?:journée|soirée|nuit|après-midi)|merci|je vous remercie|je te remercie|enchantée?|comment (?:allez-vous|ça va|vas-tu)|ça va',
  courtesies:
    "à (?:tous|toutes|vous|toi)(?: et à toutes)?|tout le monde|mesdames|messieurs|monsieur|madame|et|encore|bien|beaucoup|infiniment|mille fois|oui|non|alors|voilà|bon|donc|aussi|d'accord|de (?:votre attention|votre écoute|m'avoir écoutée?|votre temps|votre aide|l'invitation)|pour (?:votre attention|votre écoute|votre temps|votre aide|l'invitation|tout)|d'être (?:là|venus?)|c'est tout|c'était tout",
  asides:
    "(?:à part|sinon|hormis) (?:ça|cela),? (?:rien à (?:dire|redire|signaler)|tout va(?: très)? bien|c'est(?: très)? bien|je n'ai rien à dire|pas de plainte)|sinon,? (?:rien à (?:dire|redire|signaler)|tout va(?: très)? bien)|(?:pour le|du) reste,? (?:tout va(?: très)? bien|rien à (?:dire|redire)|ça va)|je n'ai rien d'autre à dire|(?:est-ce que )?(?:vous m'entendez|tu m'entends|m'entendez-vous|on m'entend)(?: \\p{L}+)?|(?:est-ce que )?(?:ça|cela) (?:marche|enregistre|fonctionne)(?: là| maintenant| bien)?|(?:je suis )?(?:désolée?s?|pardon|excusez-moi|je m'excuse|toutes mes excuses)(?: pour (?:le|la|les|ce|mon|ma) ?(?:bruit|colère|coup de gueule|dérangement|retard|interruption))?|je suis (?:(?:un peu|très|assez|vraiment) )*(?:nerveux|nerveuse|stressée?|intimidée?|émue?)",
  prefaces:
    "je cherche mes mots|je ne veux (?:pas|\\p{L}+) (?:me plaindre|râler|critiquer|déranger|vexer)[^,;:.!?–]*|je (?:serai|vais être) (?:bref|brève|franc|franche|rapide)|comment dire|petite anecdote|tout d'abord",
  contacts:
    "(?:vous pouvez|tu peux|n'hésitez pas à) (?:me|m'|nous) ?(?:appeler|joindre|contacter|écrire|rappeler|téléphoner)(?!\\p{L})|(?:appelez|contactez|rappelez|écrivez)-moi(?!\\p{L})|mon (?:numéro|téléphone|portable|e-?mail|mail|courriel|adresse mail)(?: de téléphone)?,? (?:est|c'est) ",
  particles: 'alors|bon|ben|bah|euh+|hum+|et|mais|donc|car|enfin|voilà|bon ben|vous savez',
  conjunctions: 'et|mais|ou|car|donc|parce que|que|qui|quand|si|où|comme|puisque|alors que|pour|dont',
  kinds: 'de|à|en',
  determiners:
    "le|la|les|l'|un|une|des|du|de|d'|au|aux|mon|ma|mes|notre|nos|votre|vos|son|sa|ses|leur|leurs|ce|cet|cette|ces|plus|chaque|autres|dans|sur|avec|sans|en|deux|trois",
  beforeVerbs: 'je tu il elle on nous vous ils elles ne pas se me te y',
  endings: 'es s x e',
  titles: {
    refers:
      "ça|cela|ceci|c'(?:est|était)(?! (?:\\p{L}+ ){0,3}(?:qu'\\p{L}+|que|qui|quand|de|d'\\p{L}+)(?!\\p{L}))|ce (?:serait|n'est)(?! (?:\\p{L}+ ){0,3}(?:que|qui|de|si|d'\\p{L}+)(?!\\p{L}))|(?:il|elle|ils|elles)(?! (?:ne |n'|me |nous |vous |y )?(?:faut|faudrait|faudra|y|manque|manquait|suffit|reste|s'agit|vaut|vaudrait|est (?:temps|important|dommage)|serait \\p{L}+ (?:de|que|d'\\p{L}+|qu'\\p{L}+)))|(?:faut|faudrait|doit|doivent|devrait|devraient|peut|pouvez|pourrait|veux|voudrais|devez|va|vont|on|je|vous|nous) (?:la|le|les|l'|lui|leur)(?= ?\\p{L}+(?:er|ir|re|ez|ons)(?!\\p{L}))|\\p{L}+-(?:le|la|les|lui|leur|y|en)|celui-ci|celle-ci|celui|celle|ceux|celles",
    objects:
      "(?:de|à) les?(?= )|(?:de|à|pour|sans) la(?= (?:(?!mer(?!\\p{L}))\\p{L}+(?:er|ir)|(?:re)?(?:perdre|prendre|vendre|mettre|construire|faire|voir)|détruire|défendre|étendre)(?!\\p{L}))|(?:pour|sans) les?(?= \\p{L}+(?:er|ir|dre|ttre|ire)(?!\\p{L}))|l'(?:ouvrir|enlever|arrêter|entretenir|améliorer|agrandir|élargir|éteindre|allumer|utiliser|installer|interdire|avoir)|(?:je|on|tu|ils?|elles?|qu'on) (?:les?|la)(?= )|(?:je|on|tu|ils?|elles?|qu'on) l'(?=\\p{L})|(?:nous|vous) (?:le|la)(?= )|ne (?:les?|la)(?= )|ne l'(?=\\p{L})|\\p{L}+-(?:les?|la|lui|leur)|(?:faire|font|permettre|accepter) (?:ça|cela)",
    vague: 'là|leur|leurs|y(?! (?:a|ait|avait|aura|aurait)(?!\\p{L}))',
    introduces:
      "je m'appelle|mon nom est|j'ai \\p{L}+(?:[- ]\\p{L}+)* ans|je suis|moi je suis|je travaille|j'habite|on habite|nous habitons",
    coordinators: 'et|mais|ou|car|donc|parce que|alors que|puisque|pour que|avant que',
    dependents: "que|comme|pour|sans|de|à|ni|qu'\\p{L}+",
    continues: 'alors|sinon|qui|dont|où',
    auxiliaries:
      'est|sont|était|étaient|serait|seraient|devrait|devraient|doit|doivent|a|ont|avait|peut|peuvent|pourrait|pourraient|va|vont',
  },
  stances: {
    removes:
      'ferm(?:ez|er|e|és?|ées?|ons)|fermeture (?:de|du|des)|supprim(?:ez|er|e|és?|ées?|ons)|suppression (?:de|du|des)|enlev(?:ez|er|és?|ées?|ons)|enlève|retir(?:ez|er|e|és?|ées?|ons)|arrêt(?:ez|er|e|és?|ées?|ons)(?: de)?|interdi(?:sez|re|te?s?|t)|interdiction (?:de|du|des)|annul(?:ez|er|e|és?|ées?|ons)|annulation (?:de|du|des)|démoli(?:ssez|r|e|s|es|t)?|démolition (?:de|du|des)|détrui(?:sez|re|te?s?)|abatt(?:ez|re|u|ue|us|ues)|abattage (?:de|du|des)|coup(?:ez|er|e|és?)(?= (?:\\p{L}+ ){0,3}arbres?(?!\\p{L}))|débarrass(?:ez|er)(?:-\\p{L}+)? (?:de|du|des)|disparaître|disparaisse|à bas|stop aux?|fini',
    keeps:
      "gard(?:ez|er|e|ons)|conserv(?:ez|er|e|ons)|maint(?:enez|enir|ient)|sauv(?:ez|er|e|ons)|préserv(?:ez|er)|prot(?:égez|éger)|(?:r|ré)?ouvr(?:ez|ir|e|ons)|ouvert(?:e|s|es)?|prolong(?:ez|er|e|ée?)|étend(?:ez|re)|agrandi(?:ssez|r)|constru(?:isez|ire|it|ite)|bâti(?:ssez|r)|rest(?:er|e|ent)|laiss(?:ez|er)|répar(?:ez|er)|plant(?:ez|er)|install(?:ez|er)|mett(?:ez|re)|ajout(?:ez|er)|plus de|plus(?= d')|d'autres|(?:y|il) ait|vive|(?:suis|sommes) (?:(?:plutôt|vraiment|tout à fait|absolument|aussi|pas) ){0,2}pour|favorables? (?:à|aux?)|en faveur (?:de|du|des)|en faveur(?= d')|soutien(?:s|nent)|soutenons|(?:bonne|excellente|super|mauvaise) idée",
    wants:
      "besoin de|besoin(?= d')|(?:il (?:nous |me )?)?fau(?:t|drait)(?! qu)|voudr(?:ais|ait|ions)(?! qu)|veux(?! qu)|veut(?! qu)|voulons(?! qu)|souhait(?:e|ons|ent|erais|erait|erions)(?! qu)|aimer(?:ais|ait|ions)(?! qu)",
    improves: {
      before: 'meilleure?s?',
      after: '(?:plus|moins|mieux)(?! (?:de|tard|tôt|près|loin)(?!\\p{L})) \\p{L}+',
    },
    negations: "ne|n'\\p{L}+|contre|oppos\\p{L}*|jamais|refus\\p{L}*|rejett?(?:e|ons)",
    backs:
      '(?:a|ont|aura|auront) (?:mon|notre) (?:vote|soutien|accord|approbation)|(?:a|ont|aura|auront) (?:ma|notre) voix|(?:suis|sommes) (?:plutôt |vraiment |tout à fait |absolument )?pour$',
    refuses: '(?:va|vont)(?: \\p{L}+)? trop loin$',
    restrains:
      "en laisse|sous contrôle|(?:gard|ten|maint|rest|laiss)\\p{L}* .*(?:loin|à l'écart|à distance|hors|en dehors|dehors)|(?:veux|veut|voulons|voudrais|voudrions) (?:la|le|les|ces) .*(?:hors|dehors)|laiss\\p{L}* .*éteinte?s?",
    actions:
      "(?:le |la |l')?(?!(?:construction|installation|création|implantation|aménagement|introduction|autorisation|présence) )\\p{L}+(?:ment|age|tion) (?:de|du|des)",
    missing:
      "n'(?:y )?(?:a|ai|avait|avons|ont|existe)(?: \\p{L}+)? (?:plus|pas|aucune?)(?! (?:\\p{L}+ )?(?:besoin|envie|raison|intérêt))|y a (?:plus|pas|aucun)(?! (?:\\p{L}+ )?(?:besoin|envie|raison|intérêt))|ne (?:pass|circul|roul|vienn|vient)\\p{L}* plus|(?<=^)plus (?:de|d'\\p{L}+)",
    regrets: 'dommage|mauvaise|erreur|bêtise|honte|triste|perte|catastrophe|désastre|injuste',
    evaluates: 'serait|seraient',
    praises: 'bien|bon|bonne|mieux|super|formidable|utile|idéal\\p{L}*|parfait\\p{L}*',
    loses: 'perd(?:re|ons|ez|e|rait|rions)',
    welcomes:
      'serai(?:t|ent) (?:\\p{L}+ ){0,2}(?:bien|bon|bonnes?|super|formidables?|utiles?|idéale?s?|parfaite?s?|importante?s?|géniale?s?|bienvenue?s?|agréables?)',
    reduces: "moins|sans|ne|n'\\p{L}+|pas|aucune?",
    views: 'pour ma part|pour moi|en ce qui me concerne|quant à moi|à mon avis',
    plans:
      'projets?|augmentation|hausse|propositions?|plans?|construction|installation|création|implantation|aménagement|introduction|autorisation|présence|retour|agrandissement|extension',
    conditions: 'si|quand|lorsque|depuis|après|parce',
    prepositions:
      "de|du|des|d'|à|au|aux|dans|sur|près|devant|derrière|avec|sans|chez|en|par|sous|vers|autour|pendant|avant|après|contre|plus que",
    genitives: "de|du|des|d'",
    costs: 'argent|dépens\\p{L}*',
    times: "à(?! (?:la|l'))|avant|après|plus (?:tôt|tard)|vers|entre|jusqu'\\p{L}+|trop (?:tôt|tard)",
    breaks: 'et|mais|car|ou|donc|parce',
  },
  generic: [
    'ferment ouvre ouvrent tante oncle neveu nièce cousin cousine histoire gens personne personnes monsieur madame homme femme enfant enfants petits-enfants gamin garçon fille filles fils mère père maman papa mari famille parents amis ami amie voisin voisins voisine voisines collègue clients clientes bébé jeunes monde tout tous',
    "temps jour jours nuit soir matin matinée midi après-midi semaine semaines week-end mois an ans année années heure heures minute minutes fois aujourd'hui hier demain lundi mardi mercredi jeudi vendredi samedi samedis dimanche printemps été automne hiver minuit",
    'rue route place places endroit quartier ville village mairie commune maison porte fenêtre chambre coin côté bout milieu chose choses truc genre nom numéro problème idée vie question cas argent euro euros cent mille moitié centre chez devant derrière dessus face',
    'aller va vais vont venir vient viens faire fait faut être avoir voir dire dit savoir sait penser vouloir pouvoir peux peut devoir dois mettre met prendre donner habite habiter travaille travailler travail payer coûte coûter acheter rester reste attendre attends trouver trouve marcher marche dormir manger mange parler passer passe rentre rentrer chercher cherche lève commence arrive ouvrir fermer ferme vivre meurt entrer rouler perds perdre',
    'bon bonne bien grand grande petit petite nouveau nouvelle vieux vieille beau belle mauvais plein vide cassé gratuit cher chers dur facile vrai vraiment toujours jamais encore seul seule sympa froid libre sale noir',
  ].join(' '),
}
