import type { Cues } from './cues.ts'

export const it: Cues = {
  code: 'it',
  asks: [
    "(?:quello|ciò) che (?:ci |mi )?manca|(?:ci|mi) manca(?:no)?|favorevol[ei] (?:a|al|allo|alla|ai|agli|alle|all'\\p{L}+)|a favore d(?:i|el|ello|ella|ei|egli|elle|ell'\\p{L}+)|(?:appoggio|appoggiamo|sostengo|sosteniamo)|(?:buona|ottima|bella) idea",
    'bisogna|bisognerebbe|occorr\\p{L}*|serv(?:e|ono|irebbe|irebbero)|ci (?:vuole|vogliono|vorrebbe|vorrebbero)(?! \\p{L}+(?:are|ere|ire)(?!\\p{L}))|(?:vorrei|vorremmo|voglio|vogliamo|chiedo|chiediamo|spero|speriamo|propongo|proponiamo|desidero|pretendo|pretendiamo)(?! parlare)|(?:mi|ci) piacerebbe(?:ro)?|bisogno|per favore|per piacere|dev(?:e|ono)(?! fare| andare| essere in)|dovrebb(?:e|ero)|dovete|potrebb(?:e|ero)|potreste|potete|(?!potrei)\\p{L}+r(?:ebbe|ebbero|emmo|ei|este)|cerchiamo|cerco (?:un|una|qualcuno)|manca(?:no)?|quando (?:la|lo|le|li)? ?(?:avremo|arriva|arrivano|sarà|ci sarà|riaprite|aprite|aprono|riapre|fate)|perché non|è ora di|magari|il mio desiderio|farebbe comodo|andrebbe(?:ro)? (?:fatto|fatta|riparat\\p{L}*|puli\\p{L}*)',
  ].join('|'),
  commands:
    'che (?:(?:non|ci|mi|vi|si|lo|la|li|le|il|gli|ce|me|ne) )*\\p{L}{3,}(?:ano|ino|a|i)(?<!sia|era|fa|va|ha|fai|hai|sai|poi|mai|bella|brutta|roba|cosa)|mettete(?:ci)?|comprate(?:ne)?|riparate|aprite|chiudete|fate|costruite|date(?:ci)?|lasciate(?:ci)?|togliete|pulite|piantate|sistemate|vietate|abbassate|spostate|pensate|ascoltate|tenete|riaprite|aggiungete|rimettete|portate|salvate|controllate|create',
  objects: [
    "contrari[oaie]|(?:sono|siamo) (?:\\p{L}+ )?contro|rifiut(?:o|iamo)|(?<!non è una )(?:pessima|brutta|cattiva) idea|(?<!(?:niente|nulla) )contro (?:il|la|lo|i|gli|le|l'\\p{L}+|un|una|questo|questa)|mi oppongo|ci opponiamo|non (?:sono|siamo) (?:d'accordo|favorevol\\p{L})|non (?:(?:lo|la|li|le|ci) )?(?:voglio|vogliamo|\\p{L}+r(?:ei|emmo)|serve|servono|abbiamo bisogno|ho bisogno|vedo perché)|basta (?:con|lampioni|macchine)|niente (?:più|altri|altre)|non (?:mettete|fate|costruite|chiudete|abbattete|tagliate|togliete|eliminate|demolite)|inutil[ei]|non c'è bisogno",
  ].join('|'),
  worries: [
    'rovin(?:a|ano|ano|are|erà|eranno|erebbe(?:ro)?)|deturp\\p{L}*|distrugg\\p{L}*|schifos\\p{L}*|disgustos\\p{L}*|così non si può|ci scappa il morto|(?:ha|hanno) il mio (?:voto|appoggio)|paura|panico|(?:piange|si spezza|si stringe) il cuore|(?:mi|ci) fa (?:rabbia|pena|schifo|tristezza)|preoccup\\p{L}*|temo|temiamo|timore|spavent\\p{L}*|pericolos\\p{L}*|pericolo|insicur\\p{L}*|non (?:mi |ci )?(?:sento|sentiamo) (?:più )?(?:al )?sicur\\p{L}*|stuf[oaie]|stanc(?:o|a|hi|he) di|insopportabile|inaccettabile|vergogn\\p{L}*|ingiust\\p{L}*|non è giusto|non è possibile|non (?:riesco|riusciamo|si riesce) (?:più )?a?|non ne poss\\p{L}* più|arrabbia\\p{L}*|fastidio|peccato|troppo (?:car|alt|rumoros|veloc|pericolos|fort)\\p{L}*|infernale',
  ].join('|'),
  complains:
    '(?:mi|ci) fa male|troppo|troppa|problema|rott[oaie]|mai|nessuno|però|ma|sporc[oaie]|sempre|guast[oaie]|neanche|nemmeno',
  fails:
    'non (?:se ne |ci |si |ce la |mi )*(?:può|posso|possiamo|possono|riesco|riusciamo|riesce|fa|facciamo|passa|passano|funziona|funzionano|trovo|troviamo|arriva|vede|vedono)|non (?:\\p{L}+ ){1,3}più|ancora non|(?:veramente|davvero|molto) troppo|tropp[oaie] (?:piccol[oaie]|bui[oa]|strett[oaie]|cort[oaie]|tardi|presto|lontan[oaie]|lent[oaie]|vecchi[oaie]?|poc[oaie]|lung[oa]|car[oaie]|pien[oaie])|da nessuna parte|impossibile|ogni volta|pien[oaie] di (?:buche|rifiuti|vetri|acqua|erbacce)|a malapena',
  ifs: 'se',
  openers:
    'buongiorno|buonasera|salve|ciao|allora|beh?|eh+m?|ehm|mah|sì|no|ecco|guardi|guarda|senta|senti|insomma|cioè|dunque|quindi|e|ma|o|perché|però|diciamo|sinceramente|onestamente|in realtà|secondo me|io penso che|credo che|ma sì|grazie|mi creda',
  greetings:
    'ciao|salve|buongiorno|buon (?:giorno|pomeriggio)|buonasera|buona (?:sera|giornata|serata|notte)|buonanotte|benvenut[ioae]|arrivederci|arrivederla|addio|a (?:presto|domani|dopo|più tardi)|ci vediamo|grazie|vi ringrazio|la ringrazio|ti ringrazio|piacere|come (?:va|sta|stai|state)',
  courtesies:
    "a (?:tutti|tutte|voi|lei|te)(?: e a tutte)?|tutti|signore|signora|signori|e|di nuovo|ancora|mille|tante|molte|infinite|sì|no|allora|bene|ecco|anche|davvero|per (?:l'ascolto|l'attenzione|avermi ascoltat[oa]|la vostra attenzione|il vostro tempo|il tempo|l'invito|essere venuti|tutto|l'aiuto)|dell'(?:ascolto|attenzione|invito)|(?:è|questo è) tutto",
  asides:
    "(?:per il resto|a parte (?:questo|ciò)|altrimenti),? (?:tutto (?:va )?(?:molto )?bene|va (?:tutto )?bene|niente da dire|nessuna lamentela|sono content[oa])|non ho altro da (?:dire|aggiungere)|(?:mi (?:sentite|sente|senti)|(?:riuscite|riesce) a sentirmi)(?: \\p{L}+)?|(?:funziona|registra|sta registrando)(?: questo| il microfono)?|(?:scusate|scusatemi|scusi|scusa|mi scuso|mi dispiace|chiedo scusa)(?: (?:per )?(?:il|lo|la|l'|le|i|gli) ?(?:sfogo|rumore|disturbo|ritardo|interruzione|confusione|voce))?|sono (?:(?:un po'|molto|abbastanza|davvero) )*(?:emozionat[oa]|nervos[oa]|agitat[oa])",
  prefaces:
    '(?:scusate|scusi|scusa),? se[^,;:.!?–]*|non (?:voglio|vorrei) (?:lamentarmi|disturbare|criticare|offendere)[^,;:.!?–]*|sarò breve|che (?:vi|le) devo dire|prima di tutto|per cominciare',
  contacts:
    '(?:mi (?:può|potete|puoi) (?:chiamare|contattare|scrivere|trovare)|(?:può|potete|puoi) (?:chiamarmi|contattarmi|scrivermi|trovarmi))(?!\\p{L})|(?:chiamatemi|contattatemi|scrivetemi)(?!\\p{L})|il mio (?:numero|telefono|cellulare|indirizzo|e-?mail)(?: \\p{L}+){0,2} è ',
  particles: 'allora|beh|eh+m?|mah|e|ma|però|insomma|cioè|quindi|dunque|ecco',
  conjunctions: 'e|ed|ma|però|o|perché|che|quando|se|dove|come|anche se|così|per|mentre|quindi',
  kinds: 'di|da|a|per|in',
  determiners:
    "il|lo|la|i|gli|le|l'|un|uno|una|un'|del|dello|della|dei|degli|delle|dell'|al|alla|ai|alle|nel|nella|nei|nelle|sul|sulla|di|mio|mia|miei|mie|nostro|nostra|nostri|suo|sua|questo|questa|questi|queste|quel|quella|più|ogni|altro|altri|altre|in|con|senza|su|due|tre",
  beforeVerbs: 'io tu lui lei noi voi loro mi ti si ci vi non ne a',
  endings: 'ghi ghe chi che io ia ie ii i o a e',
  titles: {
    refers:
      'questo(?= (?:è|non|deve|sarebbe|mi|ci)(?!\\p{L}))|quello(?= (?:è|non|deve|sarebbe)(?!\\p{L}))|ciò|(?:quest[aei]|quell[aei])(?= (?:è|non|sono|dev\\p{L}+)(?!\\p{L}))|\\p{L}{2,}[aei]r(?:lo|la|li|le)|\\p{L}{3,}(?:ate|ete|ite)(?:lo|la|li|le)|(?:lo|la|li|le)(?= \\p{L}+(?:rei|remmo|iamo|ete|ite|ate)(?!\\p{L}))|(?:lui|lei|loro)(?! (?:case|vite))|così (?:non|ci)|(?:lo|la|li|le)(?= \\p{L}{3,}(?:ano|ino|ono)(?!\\p{L}))|ne (?:ho|abbiamo|vorrei)',
    objects:
      '\\p{L}{2,}[aei]r(?:lo|la|li|le)|(?:far|dar|dir)(?:lo|la|li|le)|\\p{L}{3,}(?:ate|ete|ite)(?:lo|la|li|le)|(?<=(?:che|non|se|perché|noi|voi) )(?:lo|la|li|le)(?= \\p{L}{2,}(?:ssero|ssimo|[^m]ano|ono|iate|iamo|rei|remmo|ete|ate|ite)(?!\\p{L}))|(?:fare|permettere|accettare) (?:questo|ciò)',
    vague: 'lì|là|ci(?= (?:vado|andiamo|passo))',
    introduces:
      'mi chiamo|il mio nome è|ho \\p{L}+(?: \\p{L}+){0,3} anni|sono|io sono|lavoro|abito|vivo|abitiamo|viviamo',
    coordinators: 'e|ed|ma|però|o|perché|anche se|così|mentre|quindi',
    dependents: 'che|come|per|di|a',
    adds: 'che',
    continues: 'allora|altrimenti|dove|chi|cui',
    auxiliaries: 'è|sono|era|erano|sarebbe|sarebbero',
  },
  stances: {
    removes:
      "chiud(?:ete|ere|iamo|a|ano)|chius[oaie]|chiusura (?:di|del|dello|della|dei|degli|delle|dell')|togli(?:ete|ere|amo)|tolt[oaie]|togliere|elimin(?:ate|are|iamo|ato|ata|asse|assero)|eliminazione (?:di|del|della|dei|delle)|rimuov(?:ete|ere)|rimoss[oaie]|viet(?:ate|are|iamo|ato|ata|ati)|divieto (?:di|del|della)|annull(?:ate|are|iamo|ato|ata)|cancell(?:ate|are|ato|ata)|ferm(?:ate|are|iamo)|demol(?:ite|ire|iamo|ito|ita)|demolizione (?:di|del|della)|abbatt(?:ete|ere|uto|uta|uti)|abbattimento (?:di|del|dello|della|dei|degli|delle)|tagli(?:ate|are|ato|ati)(?= (?:\\p{L}+ ){0,3}alber[oi](?!\\p{L}))|abol(?:ite|ire)|spar(?:ire|isca|iscano)|scomparire|andarsene|via(?= (?:il|lo|la|i|gli|le|quest\\p{L}+) )|basta(?: con)?|smett(?:ete|ere|etela)(?: di| con)?",
    keeps:
      'ten(?:ete|ere|iamo)|mant(?:enete|enere|eniamo|enga)|conserv(?:ate|are)|salv(?:ate|are|iamo)|protegg(?:ete|ere)|(?:ri)?apr(?:ite|ire|iamo)|apert[oaie]|allung(?:ate|are|hiamo)|prolung(?:ate|are)|estend(?:ete|ere)|ampli(?:ate|are)|costru(?:ite|ire|iamo)|rest(?:are|i|a|ino)|riman(?:ere|ga|gano)|lasci(?:ate|are)|ripar(?:ate|are)|sistem(?:ate|are)|piant(?:ate|are)|mett(?:ete|ere)|rimett(?:ete|ere)|install(?:ate|are)|aggiung(?:ete|ere)|più|altr[ie]|servono|serve|servirebbe(?:ro)?|manca(?:no)?|ci vuole|ci vogliono|ci sia(?:no)?|viva|favorevol[ei](?: a| al| allo| alla| ai| agli| alle)?|a favore(?: di| del| dello| della| dei| degli| delle)?|appogg(?:io|iamo)|sost(?:engo|eniamo)|(?:buona|ottima|bella|pessima|brutta|cattiva) idea',
    wants:
      "bisogno d(?:i|el|ella|ei|egli|elle)|bisogno(?= d')|vogli(?:o|amo)(?! che)|vorr(?:ei|emmo)(?! che)|chied(?:o|iamo)(?! che)",
    improves: {
      before: 'miglior[ei]?',
      after: '(?:più|meno|meglio)(?! (?:tardi|presto|vicino|lontano|di|che)(?!\\p{L})) \\p{L}+',
    },
    negations: 'non|mai|contro|contrari[oaie]|rifiut(?:o|iamo)|oppong\\p{L}*|opponiamo|senza|né',
    backs: '(?:ha|hanno|avrà|avranno) (?:tutto )?il (?:mio|nostro) (?:voto|appoggio|sostegno)',
    refuses: '(?:va|vanno)(?: \\p{L}+)? troppo (?:oltre|lontano|in là)$|(?:passa|passano) il segno$',
    restrains:
      'al guinzaglio|senza guinzaglio|sotto controllo|(?:ten|mant|rest|riman|st)\\p{L}* .*(?:lontan[oaie]|fuori|alla larga|a distanza)|(?:voglio|vogliamo|vorrei|vorremmo) (?:il|lo|la|i|gli|le|quest[oaie]|quei|quelle) .*fuori|lasci\\p{L}* .*spent[oaie]',
    actions:
      '(?!(?:avere|permettere|creare|introdurre|realizzare|autorizzare) )\\p{L}+[aei]re (?:il|lo|la|i|gli|le|questo|questa|il nostro|la nostra)',
    missing:
      "non (?:c'è|c'era|ci sono|abbiamo|ho|esiste|passano?|circolano?|arrivano?|rimane)(?! (?:\\p{L}+ )?(?:bisogno|motivo|ragione|voglia)(?!\\p{L}))",
    regrets:
      'peccato|pessima|brutta|cattiva|errore|sbagliato|perdita|disastro|catastrofe|ingiust\\p{L}*|follia',
    evaluates: 'sarebbe|sarebbero',
    praises: 'bene|bello|bella|buono|buona|meglio|utile|ideale|perfett\\p{L}*',
    loses: 'perd(?:ere|iamo|ano|ete|eremmo|erebbe)',
    welcomes:
      'sarebbe(?:ro)? (?:\\p{L}+ ){0,2}(?:bene|bell[oaie]|buon[oaie]|util[ei]|ideal[ei]|perfett\\p{L}*|important[ei]|fantastic\\p{L}*|meravigli\\p{L}*|comod\\p{L}*)',
    reduces: 'meno|senza|non|nessun\\p{L}*',
    views: 'per me|per quanto mi riguarda|da parte mia|secondo me|a mio parere',
    plans:
      'progett[oi]|aumento|propost[ae]|pian[oi]|costruzione|installazione|creazione|introduzione|autorizzazione|presenza|ritorno|ampliamento',
    conditions: 'se|quando|dopo|poiché|perché|anche se',
    prepositions:
      'di|del|dello|della|dei|degli|delle|a|al|allo|alla|ai|agli|alle|in|nel|nello|nella|nei|negli|nelle|con|senza|per|su|sul|sulla|sui|vicino|davanti|dietro|da|dal|dalla|dai|contro|durante|sotto',
    genitives: 'di|del|dello|della|dei|degli|delle',
    costs: 'soldi|denaro|spend\\p{L}*',
    times: 'all[ae]|prima|dopo|più (?:tardi|presto)|fino|tra|così (?:tardi|presto)',
    breaks: 'e|ed|ma|però|o|perché|anche se|che',
  },
  generic: [
    'ormai insegna insegnare comunque appena intanto zia zio cugino cugina nipote storia gente persona persone signore signora uomo donna bambino bambini bambina ragazzi ragazze ragazzo figlio figlia figli madre padre mamma nonna nonno nipoti marito moglie sorella fratello famiglia genitori amico amica amici vicino vicini collega clienti giovani tutti nessuno qualcuno mondo pensionati',
    "tempo giorno giorni notte sera mattina mattine mezzogiorno pomeriggio settimana settimane mese mesi anno anni ora ore minuto minuti volta volte oggi ieri domani lunedì martedì mercoledì giovedì venerdì sabato domenica primavera estate d'estate autunno inverno luglio settembre",
    'via strada posto posti luogo quartiere città paese comune casa porta finestra camera stanza letto angolo lato fine mezzo metà parte cosa cose tipo nome numero problema idea vita domanda caso soldi euro cento mille centro piazza davanti dietro fronte fiume',
    "andare va vado vanno venire viene fare fa faccio c'è c'era ci essere avere ho ha vedere vede dire dice sapere so pensare volere voglio potere posso può dovere devo mettere prendere prendo dare abito abitare lavoro lavorare pagare costa comprare restare resta aspettare trovare trovano dormire mangiare parlare passare passano passa cercare cerco lasciare lascia comincia cominciare chiudere chiusa aprire uscire esce tornare torno chiamare chiamo leggere vivere perdo cresce messo hanno",
    'buono buona bene grande grosso piccolo nuovo nuova vecchio vecchi bello bella brutto pieno vuoto rotto rotta gratis gratuiti caro difficile facile sempre mai solo sola vero libero sicura spenta fortissima',
  ].join(' '),
}
