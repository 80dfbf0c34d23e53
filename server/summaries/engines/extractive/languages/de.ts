import type { Cues } from './cues.ts'

export const de: Cues = {
  code: 'de',
  asks: [
    'was (?:\\p{L}+ ){0,2}fehlt|(?:uns|mir|hier|da|dort) fehl(?:t|en)(?! \\p{L}+ nichts)|(?:ich bin|wir sind|bin ich|sind wir) (?:(?:auch|sehr|ganz|klar|nicht|unbedingt|eher|absolut|total|eindeutig) ){0,2}(?:für(?! (?:\\d|zwei|drei|einen moment))|dafür)|(?:ich|wir) (?:befürworten?|unterstützen?)|(?:gute|tolle|super|prima) idee',
    'bitte|sollten?|müss(?:te|ten)|(?<!ich |sie |er |wir |man |und |mutter |jetzt |(?<!\\p{L})meine? (?:\\p{L}+ ){1,3})(?:muss|müssen)(?! ich| sie| wir| man)|da muss|brauch(?:en|e|t)|bräuchten?|wünsch(?:e|en|te|ten)|würde (?:mir|mich|gern|gerne|ich)|hätten? (?:gern|gerne)|möchten?|wollen? (?:wir|ich|dass|einen?|wieder|mehr)|(?:ich|wir) (?:will|wollen)|fordern?|verlangen?|bitten?|schlage? vor|hoffen?|hoffe',
    '(?:wäre|wär) (?:\\p{L}+ ){0,4}(?:schön|gut|toll|super|wichtig|hilfreich|prima|besser)|wäre|wären|würden?|hätten?|könn(?:te|ten) (?:man|sie|ihr|die|wir|der|das)|können sie|warum (?:nicht|kann|wird)|(?:da|hier|dort) gehör(?:t|en)|gehör(?:t|en) (?:\\p{L}+ ){0,3}(?:\\p{L}*ge\\p{L}+(?:t|en)|ver\\p{L}+(?:t|en)|be\\p{L}+(?:t|en)|er\\p{L}+(?:t|en)|zer\\p{L}+(?:t|en))|es (?:braucht|fehlt|fehlen)|darf (?:\\p{L}+ ){0,3}nicht|dürfen (?:\\p{L}+ ){0,3}nicht|(?:darf|dürfen) auf keinen fall|von mir aus (?:kann|können|soll|sollen|darf|dürfen)|endlich|höchste zeit|wann (?:wird|werden|kommt|kommen|macht|bekommen|kriegen|geht|gibt)|suchen (?:eine?n?|noch|jemand)|wir warten|lasst uns|mein wunsch|soll (?:wieder|bleiben|endlich)',
  ].join('|'),
  commands:
    '\\p{L}+(?:en|n) sie|stell(?:t|en)?|mach(?:t|en)?|bau(?:t|en)?|setz(?:t|en)?|gebt|gib|reparier(?:t|en)?|öffn(?:et|en)?|schließ(?:t|en)?|verbiet(?:et|en)?|pflanz(?:t|en)?|lasst|nehmt|hört|sorgt|tut|legt|holt|bringt|senkt|erlaubt|verlegt|denkt|behaltet|rettet|redet',
  objects: [
    'geht (?:so|gar) nicht|(?:bin|sind|wäre|wären|war) (?:\\p{L}+ ){0,3}(?:gegen|dagegen)|(?<!nichts )gegen (?:noch|den|die|das|ein|eine|einen|mehr|neue|diese[nrs]?)|dagegen|lehne?n? (?:[^,;:.!?]* )?ab|(?:will|wollen|möchte|möchten|brauche|brauchen) (?:\\p{L}+ ){0,3}(?:kein|keine|keinen|nicht)|bitte (?:\\p{L}+ ){0,4}(?:nicht|kein|keine|keinen)|nicht (?:einverstanden|dafür|nötig)|halte (?:\\p{L}+ ){0,3}(?:nichts|für falsch|für unsinn|für überflüssig)|kein(?:e|en)? (?:neue[nrs]?|weitere[nrs]?|zusätzliche[nrs]?)|überflüssig|unnötig|was soll das|(?<!keine )(?:schlechte|dumme) idee',
  ].join('|'),
  worries: [
    "ruinier\\p{L}*|zerstör\\p{L}*|verschandel\\p{L}*|eklig\\p{L}*|ekelhaft\\p{L}*|widerlich\\p{L}*|zumutung|geht (?:\\p{L}+ )?zu weit|(?:meinen segen|meine stimme)|(?:irgendwann|bald|noch) passiert|so geht(?:'s| es| das) nicht|angst|ängst\\p{L}*|sorgen?|besorg\\p{L}*|fürchte\\p{L}*|befürcht\\p{L}*|gefährlich\\p{L}*|gefahr|unsicher\\p{L}*|nicht (?:mehr )?sicher|traue? mich nicht|trau mich|ärger\\p{L}*|wütend|sauer|satt|nerv\\p{L}*|stört?|unfair|ungerecht|schlimm\\p{L}*|katastrophe|unmöglich|skandal|schade|peinlich|panik|macht (?:mich|uns) (?:\\p{L}+ )?(?:wütend|traurig|krank)|blutet (?:mir |einem |uns )?das herz|bricht (?:mir|einem|uns) das herz|unerträglich|nicht (?:auszuhalten|leisten|schlafen|in ordnung|richtig|mehr aus)|nicht mehr (?:durch|raus|hin|aus)|kann (?:\\p{L}+ ){0,3}nicht (?:schlafen|mehr)|zu (?:teuer|laut|hoch|schnell|gefährlich)",
  ].join('|'),
  complains: 'zu|problem|kaputt|nie|niemand|keiner|kein|keine|aber|stinkt|dreckig|gesperrt|leider',
  fails:
    '(?:kann|können|könnt|konnte|konnten|komm|komme|kommt|kommen|geht|passt|traut?|trauen) (?:\\p{L}+ ){0,5}nicht|nicht mehr|kein\\p{L}* (?:\\p{L}+ ){1,3}mehr|immer noch (?:kein\\p{L}*|nicht)|(?:viel|einfach) zu|zu (?:wenig|viel|klein|eng|dunkel|weit|spät|früh|lang|lange|kurz|alt|langsam|schmal|voll|heiß|kalt|wenige)|nicht (?:mal|einmal)|nirgends|nirgendwo|kaum|unmöglich|jedes mal|schon wieder|voller (?:löcher|müll|scherben|wasser|unkraut)',
  ifs: 'wenn|falls',
  openers:
    'ja|nein|also|na ja|naja|äh+m?|hm+|hallo|guten (?:tag|morgen|abend)|grüß gott|moin|nun|tja|wissen sie|weißt du|schauen sie|ehrlich|ehrlich gesagt|und|aber|oder|denn|eigentlich|ich meine|ich finde|okay|genau|gut|bitte|danke',
  greetings:
    "hallo|hi|hey|moin(?: moin)?|servus|guten (?:tag|morgen|abend)|gute nacht|grüß (?:gott|dich|euch)|grüezi|willkommen|auf wiedersehen|auf wiederhören|tschüss|tschüß|tschau|ciao|bis (?:bald|morgen|später|dann|zum nächsten mal)|danke(?: ?schön| ?sehr)?|vielen dank|besten dank|herzlichen dank|schönen (?:tag|abend)(?: noch)?|wie geht(?:'s| es)(?: ihnen| dir| euch)?|freut mich",
  courtesies:
    "zusammen|alle|allen|an alle|liebe leute|leute|meine damen und herren|herzlich|auch|und|nochmal|nochmals|noch|sehr|recht|ja|nein|also|okay|so|ihnen|dir|euch|fürs (?:zuhören|kommen)|für (?:das zuhören|ihre aufmerksamkeit|eure aufmerksamkeit|die aufmerksamkeit|die einladung|ihre zeit|eure zeit|die zeit|alles|ihre hilfe)|das (?:war|ist)(?:'s| es| alles)|das war's",
  asides:
    '(?:sonst|ansonsten|im übrigen|abgesehen davon) (?:bin ich|sind wir|ist alles|passt alles|läuft alles|habe? ich|haben wir)(?: (?:ganz|sehr|eigentlich|soweit|recht|rundum))* ?(?:zufrieden|gut|in ordnung|okay|prima|keine (?:klagen|wünsche|beschwerden)|nichts zu (?:meckern|klagen|beanstanden))?|mehr (?:wollte?|möchte|hab|habe) ich (?:(?:gar|auch|eigentlich|jetzt|dazu) )*(?:nicht(?:s)?(?: (?:zu )?(?:sagen|loswerden))?|sagen)|(?:können sie|könnt ihr|kannst du) mich (?:\\p{L}+ ){0,2}(?:hören|verstehen)|(?:hören sie|hört ihr|hörst du) mich(?: \\p{L}+)?|(?:funktioniert|geht|läuft) (?:das|es|das mikrofon|das mikro|die aufnahme)(?: hier)?(?: jetzt| schon)?|(?:entschuldigung|entschuldigen sie|entschuldigt|verzeihung|sorry|tut mir leid)(?: bitte)?(?: (?:für|wegen) (?:den|die|das|der|des|meines|meinen|mein) (?:lärms?|ausbruch|wutausbruch|gejammer|störung|krach|lautstärke|verspätung))?|ich bin (?:(?:ein bisschen|etwas|ganz|sehr|ziemlich|so) )*(?:aufgeregt|nervös)',
  prefaces:
    "(?:entschuldigung|entschuldigen sie|sorry|verzeihung),? (?:dass|wenn) ich[^,;:.!?–]*|ich (?:will|möchte) (?:\\p{L}+ ){0,2}(?:nicht|niemanden?) (?:meckern|jammern|klagen|beschweren|beleidigen|kritisieren)[^,;:.!?–]*|ich mach(?:e|'s| es)?(?: es)? kurz|ich fasse mich kurz|wie soll ich sagen|zuerst einmal",
  contacts:
    '(?:sie können|ihr könnt|du kannst|man kann) mich (?:[^,;:]* )?(?:anrufen|erreichen|kontaktieren)(?!\\p{L})|(?:rufen sie|ruft) mich (?:[^,;:]* )?an(?!\\p{L})|meine (?:\\p{L}*nummer|e-?mail(?:-?adresse)?|mailadresse) (?:ist|lautet) ',
  particles: 'also|na ja|naja|äh+m?|hm+|und|aber|denn|tja|ja also|wissen sie',
  conjunctions: 'und|aber|oder|denn|weil|dass|wenn|als|ob|damit|obwohl|wo|die|der|das|sondern|bevor|bis|um',
  determiners:
    'der|die|das|den|dem|des|ein|eine|einen|einem|einer|kein|keine|keinen|unser|unsere|unseren|mein|meine|meinen|meiner|ihr|ihre|sein|seine|dieser|diese|dieses|diesen|jede|jeder|mehr|viele|neue|neuen|alte|alten|von|vom|für|im|in|am|an|auf|bei|beim|mit|zum|zur|über|ohne|gegen|zwei|drei',
  beforeVerbs: '',
  endings: 'innen ern en er em es e n s',
  unrelated: 'parken parkplatz parkhaus parkraum parkschein parkgebuhr parkgarage parkende geparkt parkt',
  hasCompounds: true,
  titles: {
    refers:
      '(?!die (?:wollen|wollten)(?! wir| ich)(?!\\p{L}))(?:das|dies|dieser|diese|dieses|die|der|den|dem|denen)(?= (?:ist|sind|war|waren|wäre|wären|macht|machen|muss|müssen|müsste|müssten|soll|sollen|sollte|sollten|kann|können|könnte|geht|finde|hat|haben|reicht|würde|darf|will|wollen|wollten|stört|gehört|hilft|wird|werden|bringt|brauchen|braucht|möchte|kostet|halte|wünsche)(?!\\p{L}))|ihn|ihm|ihnen|(?:davon|dafür|dagegen|darüber|damit|daran|darauf|darum|dazu)(?!,? (?:dass|wenn|wie|ob|die|der|das|ein))|so (?:kann|geht|muss|etwas)|es(?= (?:reparieren|wieder|weg|ab)(?!\\p{L}))|dasselbe',
    objects:
      '(?:es|sie)(?= (?:zu|nicht|wieder|weg|zurück|bitte|behalten|erhalten|reparieren|verlieren)(?!\\p{L})|$|[^\\p{L} ])|(?<=(?:wir|ihr|ich|man|brauchen|brauche|vermissen|vermisse|liebe|behaltet|repariert) )(?:sie|es)|ihn|ihm|ihnen|(?:das|dies)(?= (?:nicht |bitte |so |nie |wirklich )*(?:tun|machen|lassen|zulassen|verhindern|ändern|akzeptieren)(?!\\p{L}))',
    vague:
      'die(?= (?:wollen|wollten)(?!\\p{L}))|sie(?= (?:sollen|sollten|müssen|müssten|können|haben|machen)(?!\\p{L}))|er|da|dort|ihr|ihre',
    introduces: 'mein name ist|ich heiße|ich bin|ich arbeite|ich wohne|wir wohnen',
    coordinators: 'und|aber|oder|denn|weil|obwohl|sondern|bevor|damit',
    dependents: 'dass|ob|um|wie|als|was|wer',
    continues: 'dann|so|sonst|wo|wohin',
    auxiliaries:
      'ist|sind|war|waren|wäre|wären|sollte|sollten|müsste|müssten|muss|müssen|hat|haben|hatte|hätte|hätten|wird|werden|würde|würden|kann|könnte|können|soll|darf',
  },
  stances: {
    removes:
      'schließ(?:t|en|e)?|zuschließen|geschlossen|schließung|zumachen|zugemacht|mach(?:t|en sie|en)?(?= .*(?:zu|dicht|weg)$)|entfern(?:t|en|e)|entfernung|weg mit|(?<=(?:muss|müssen|soll|sollen|sollte|sollten|gehört|gehören|kann|können) (?:endlich |wieder |sofort |hier |da )?)(?:weg|fort)|abschaffen|abgeschafft|abschaffung|schaff(?:t|en sie|en)?(?= .*ab$)|abreißen|abgerissen|abriss|reiß(?:t|en sie|en)?(?= .*(?:ab|weg)$)|abbauen|abgebaut|bau(?:t|en sie|en)?(?= .*ab$)|absagen|abgesagt|sag(?:t|en sie|en)?(?= .*ab$)|verbiet(?:et|en|e)|verboten|verbot|stopp(?:t|en|e)|gestoppt|streich(?:t|en|e)|gestrichen|beseitig(?:t|en|e)|fällen|fäll(?:t|en sie)(?= .*bäume?(?!\\p{L}))|abholzen|abgeholzt|abholzung|holz(?:t|en sie)(?= .*ab$)|gefällt(?= (?:werden|wird|werde|würde))|einstellen|eingestellt|stell(?:t|en sie|en)?(?= .*(?:ein|ab)$)|verschwinden|(?<!mach\\p{L}* .*)dicht|schluss mit',
    keeps:
      'behalt(?:et|en|e)|erhalt(?:et|en|e)?|bewahr(?:t|en)|rett(?:et|en|e)|gerettet|öffn(?:et|en|e)|geöffnet|offen|aufmachen|mach(?:t|en sie|en)?(?= .*auf$)|bleib(?:t|en|e)|lass(?:t|en)?|bau(?:t|en|e)?(?! .*ab$)|gebaut|ausbau(?:en|t)|verlänger(?:t|n|e)|verlängerung|erweiter(?:t|n|e)|reparier(?:t|en|e)|pflanz(?:t|en|e)|stell(?:t|en|e)?(?= .*(?:auf|hin)$)|mehr|her mit|(?:bin|sind|wäre|wären) (?:(?:auch|sehr|ganz|klar|nicht|unbedingt|eher|absolut|total|eindeutig) ){0,2}für|befürworten?|unterstützen?|(?:gute|tolle|super|prima|schlechte|dumme) idee',
    wants: 'brauch(?:e|en|t)|will|wollen|möchten?|nötig|wünsch(?:e|en)(?: mir| uns)?|wir hätten gern',
    owns: 'hat|haben|hätte|hätten',
    improves: {
      before:
        '(?!(?:ander|weiter|mehrer|unser|eur|teur|schwer|leer|sicher|sauber|lecker|inner|äußer|vorder|hinter|ober|unter|besonder)e[nmrs]?(?!\\p{L}))\\p{L}{3,}ere[nmrs]?',
      after: '(?:\\p{L}{2,}er|besser) (?:haben|sehen|machen|bekommen)',
    },
    negations: 'nicht|nie|niemals|kein\\p{L}*|gegen|dagegen|lehn\\p{L}*|ohne',
    approves: '(?:bin|sind|wäre|wären) (?:\\p{L}+ ){0,3}dafür',
    backs:
      '(?:hat|haben|bekommt|bekommen|kriegt|kriegen) (?:\\p{L}+ )?(?:meinen?|unseren?) (?:vollen? )?(?:stimmen?|unterstützung|segen)',
    refuses: '(?:geht|gehen|ginge|gingen)(?: \\p{L}+){0,2} zu weit$',
    restrains:
      'an (?:der|die|einer|eine) (?:\\p{L}+ )?leine|angeleint\\p{L}*|anleinen|unter (?:\\p{L}+ )?(?:kontrolle|aufsicht)|fern|fernhalten|ferngehalten|fernbleiben|(?:halt|haltet|halten|lasst|lassen|bleibt)(?!\\p{L}).* (?:weg|draußen|raus)|(?:weg|draußen) bleiben|(?:will|wollen|möchten?) (?:die|diese|alle) \\p{L}+ aus|(?:will|wollen|möchten?) (?:\\p{L}+ ){1,3}raus|lass(?:t|en)? (?:\\p{L}+ )*aus$',
    actions:
      'das (?!(?:aufstellen|errichten|erlauben|zulassen) )\\p{L}+en (?:der|des|von)|die (?!(?:\\p{L}*errichtung|eröffnung|ansiedlung|zulassung|einführung|haltung|einrichtung|genehmigung|duldung|erhaltung) )\\p{L}+ung (?:der|des|von)',
    missing:
      '(?:fährt|fahren|gibt|gab|kommt|kommen|hält|halten|steht|stehen|haben|hat|habe|hatten|verkehrt|verkehren) (?:\\p{L}+ ){0,3}kein\\p{L}*(?!.*(?<!\\p{L})(?:nötig|notwendig|bedarf|grund|lust|idee|gebrauchen)(?!\\p{L}))',
    regrets: 'schade|fehler|falsch|schlimm|schlechte|verlust|katastrophe|unsinn|dumm',
    loses: 'verlieren|verlier(?:t|e)',
    welcomes:
      'wär(?:e|en)? (?:\\p{L}+ ){0,5}(?:schön|gut|toll|super|wichtig|hilfreich|prima|klasse|ideal|nützlich|wunderbar)',
    reduces: 'weniger|keine?|kein|ohne|nicht|nie',
    views:
      'von mir aus|meinetwegen|was mich (?:betrifft|angeht)|für mich|meiner meinung nach|von meiner seite',
    plans:
      'plan|pläne|erhöhung|vorschlag|projekt|bau|errichtung|einführung|genehmigung|ausbau|erweiterung|rückkehr|aufstellen|aufstellung',
    conditions: 'wenn|falls|seit|nachdem|als|ob|obwohl|weil',
    prepositions:
      'am|an|im|in|bei|beim|neben|vor|hinter|von|vom|aus|auf|um|mit|zu|zum|zur|nach|unter|über|durch|gegenüber|ohne|ins|ans|während|als|statt|anstatt',
    genitives: 'von|vom|des|der',
    costs: 'geld|ausgeb\\p{L}*',
    times: 'um(?! (?:die|den|das))|ab|bis|früher|später|eher|vor|nach|zwischen|pünktlich',
    breaks: 'und|aber|oder|denn|weil|sondern|dass',
  },
  generic: [
    'hand kanada tante onkel neffe nichte cousin geschichte leute mensch menschen mann frau frauen kind kinder kinder kindern junge jungen mädchen sohn tochter mutter vater oma opa eltern enkel familie freund freundin freundinnen nachbar nachbarn nachbarin kollege kollegin kunden baby jugendliche erwachsene rentner jemand niemand alle kleine kleinen',
    'zeit tag tage nacht abend abends morgen morgens mittag nachmittag woche wochen wochenende monat monate jahr jahre jahren stunde stunden minute minuten uhr mal heute gestern montag dienstag mittwoch donnerstag freitag samstag samstags sonntag sonntags frühling frühjahr sommer herbst winter',
    'straße weg platz ort orte stadt dorf gemeinde haus hause tür fenster zimmer ecke seite ende anfang mitte stück ding dinge sache sachen art name nummer problem idee leben frage fall geld euro hundert tausend bisschen meter kilometer halbe wohnung wohnungen tausend grund rathaus',
    'gehen gehe geht kommen kommt stehen stehe steht sitzen sitze liegt liegen machen mache macht tun sehen sehe sieht sagen sage sagt wissen denken wollen müssen können finden finde findet haben habe hat werden wird wohnen wohne arbeiten arbeite bezahlen zahlen geben gibt brauchen helfen hören bleiben bleibt fahren fahre fährt kaufen schlafen holen bringen warten spielen fängt fangen passiert nehmen stellen bauen heißt',
    'gut gute groß große größere klein neu neue neuen alt alte schön schöne schlecht voll leer kaputt frei teuer dunkel sicher schwer leicht einfach echt richtig richtigen wirklich eigentlich immer nur schon noch ganz viel früh spät direkt endlich bitte weit völlig einzige',
  ].join(' '),
}
