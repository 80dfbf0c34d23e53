import type { Cues } from './cues.ts'

export const nl: Cues = {
  code: 'nl',
  asks: [
    'wat (?:\\p{L}+ ){0,2}(?:ontbreekt|mist|missen)|ontbreekt (?:het )?(?:ons )?aan|(?:ik ben|wij zijn|we zijn) (?:ook |wel |niet |zeer |erg |heel |helemaal |absoluut |echt ){0,2}voor(?! (?:het eerst|de eerste|mijn|ons|\\d))|voorstanders? van|(?:ik steun|wij steunen|we steunen)|goed idee|prima idee',
    'alsjeblieft|alstublieft|graag|wil(?:len)? (?:dat|we|ik|wij)|ik wil(?! het (?:\\p{L}+ ){0,2}(?:over|hebben)(?!\\p{L})| zeggen| even)|wij? willen|(?:ik|we|wij) (?:zou|zouden) (?:graag|willen|het)|zou(?:den)? (?:moeten|kunnen|mogen|fijn|mooi|goed|leuk)',
    '(?<!ik |ze |die |dan |hij |(?<!\\p{L})mijn (?:\\p{L}+ ){1,3})(?:moet|moeten)(?! (?:ik|we)(?!\\p{L}))|er (?:moet|moeten|zou|zouden|hoort)|zou(?:den)? \\p{L}+ (?:\\p{L}+ )*moeten|nodig|laten we|laat (?:ze|die|dat|de|het|ons)|waarom (?:niet|kan|wordt)',
    '(?:kan|kunnen|kunt|mag|mogen) (?:de|het|we|er|jullie|u|ze|dat|die|daar)|hopen|hoop|wens|wensen|vraag(?:t)? (?:om|of|aan)|vragen (?:om|of|aan)|stel voor|zoeken? een|hoort? (?:goed|een|er)|horen er|het (?:wordt|is) tijd|wanneer (?:wordt|worden|komt|komen|krijgen|gaat|gaan)|willen? (?:gewoon|weer|meer)|ik pleit|mijn wens|zou|zouden|waarom|(?:mag|mogen) (?:\\p{L}+ ){0,6}(?:worden|wezen)|(?:mag|mogen) (?:\\p{L}+ ){0,4}(?:minder|meer|vaker|beter)',
  ].join('|'),
  commands:
    'verander|vervang|geef ons|regel|betaal|vraag|probeer|gebruik|maak|zet|doe|haal|geef|bouw|plant|stop|laat|zorg|breng|repareer|verbied|sluit|open|houd|hou|plaats|leg|neem|kom|kijk naar|luister|verlaag|verhoog|verplaats|verbeter|begin|denk|ruim|schrap|behoud|bewaar',
  objects: [
    '(?<!(?:niets|niks) )tegen (?:dat|een|de|het|nog|meer|extra)|er tegen|ertegen|ben tegen|zijn tegen|niet eens|oneens|(?:wil|willen) (?:ik |we |wij )?(?:(?:hier|echt|absoluut|helemaal|dus|gewoon|toch|ook|nu|zeker|liever|eigenlijk) ){0,3}(?:geen|niet)|(?:wil|willen) (?:ik |we |wij )?(?:de|het|die|dat|onze|mijn) (?:\\p{L}+ ){1,3}niet|hoe(?:ft|ven) (?:\\p{L}+ ){0,6}(?:geen|niet)|(?:hoort|horen) (?:\\p{L}+ ){0,3}niet|liever geen|liever niet|(?<!(?<!\\p{L})(?:rijdt|rijden|is|zijn|gaat|gaan|komt|komen|stopt|stoppen|staat|staan|heb|hebben|heeft|was|waren) (?:\\p{L}+ ){0,3})geen \\p{L}+ meer|niet nodig|zie(?:n)? (?:\\p{L}+ ){0,4}niet zitten|niets? voor|zit(?:ten)? (?:\\p{L}+ )?niet op te wachten|niet nog (?:een|meer)|geen voorstander|(?<!geen )slecht idee|alsjeblieft (?:geen|niet)|doe maar niet',
  ].join('|'),
  worries: [
    'verpest\\p{L}*|verwoest\\p{L}*|bederft|bederven|ruïneert|ruïneren|verknoei\\p{L}*|smerig|walgelijk|goor|ranzig|schandvlek|gaat (?:\\p{L}+ )?te ver|(?:straks|vroeg of laat|dadelijk) (?:\\p{L}+ ){0,5}(?:ongelukken?|dode|doden|slachtoffers?)|bang|angst\\p{L}*|eng|doodeng|zorgen|bezorgd|gevaarlijk\\p{L}*|onveilig\\p{L}*|niet (?:meer )?veilig|erger\\p{L}*|boos|kwaad|last van|kapot aan|niet (?:eerlijk|normaal|kunnen|goed)|oneerlijk|schandal\\p{L}*|belachelijk|(?:kan|kunnen) (?:\\p{L}+ )?niet (?:slapen|meer)|zat van|beu|jammer|paniek|maakt (?:me|mij|ons) (?:bang|boos|verdrietig|ziek)|hart breekt|breekt (?:mijn|ons) hart|verschrikkelijk|vreselijk|verdwijn\\p{L}*|te (?:duur|hard|luid|gevaarlijk)|veel te',
  ].join('|'),
  complains: 'te|doet (?:me|mij|ons) pijn|probleem|kapot|nooit|niemand|geen|maar|vies|niks|steeds',
  fails:
    '(?:kan|kun|kunt|kunnen|kon|konden|kom|komt|komen|lukt|past|durf|durven) (?:\\p{L}+ ){0,5}(?:niet|nergens)|niet meer|geen (?:\\p{L}+ ){1,3}meer|nog steeds (?:geen|niet)|nog altijd (?:geen|niet)|(?:veel|gewoon|echt) te|te (?:klein|donker|smal|kort|laat|vroeg|ver|langzaam|oud|weinig|lang|heet|koud|vol|druk|duur)|niet eens|nergens|amper|nauwelijks|onmogelijk|elke keer|alweer|vol (?:gaten|kuilen|afval|water|glas|onkruid)',
  ifs: 'als|wanneer|indien',
  openers:
    'ja|nee|nou|eh+|uh+|hm+|hallo|hoi|dag|goede(?:morgen|middag|avond)|goedemorgen|goedemiddag|goedenavond|kijk|luister|weet je|weet u|zeg maar|dus|en|maar|want|eigenlijk|eerlijk gezegd|wat ik wil zeggen|ik bedoel|oké|oke|toch|hè|hoor|bedankt|dank u|dank je',
  greetings:
    'hallo|hoi|hé|hey|dag|goede(?:n)?(?:morgen|middag|avond|dag|nacht)|goede (?:morgen|middag|avond)|welkom|tot (?:ziens|straks|morgen|later|de volgende keer)|doei|dank (?:u|je)(?: wel)?|dankjewel|dankuwel|bedankt|fijne (?:dag|avond|middag)(?: nog)?|hoe gaat het(?: met (?:u|je|jullie))?|aangenaam|prettige dag',
  courtesies:
    'allemaal|iedereen|samen|dames en heren|meneer|mevrouw|mensen|ook|en|nog|nogmaals|hartelijk|heel|erg|zeer|hoor|ja|nee|nou|oké|oke|dus|wel|voor (?:het luisteren|uw aandacht|jullie aandacht|de aandacht|de uitnodiging|uw tijd|jullie tijd|de tijd|uw hulp|alles)|dat (?:was|is) (?:het|alles)',
  asides:
    '(?:verder|voor de rest|anders) (?:(?:heb|hebben) (?:ik|we|wij) )?(?:geen (?:klachten|wensen|opmerkingen)|niks te klagen|niets te klagen)|(?:verder|voor de rest) (?:ben ik|zijn we|is het|gaat het|gaat alles|is alles)(?: wel| heel| best)? (?:tevreden|goed|prima|fijn|oké)|meer (?:wensen|vragen|opmerkingen|klachten) heb ik niet|meer (?:wilde|wou|wil) ik (?:\\p{L}+ ){0,2}(?:zeggen|kwijt)|meer heb ik niet(?: te zeggen)?|(?:kunt u|kun je|kunnen jullie|kan iedereen) (?:mij|me) (?:\\p{L}+ ){0,2}(?:horen|verstaan)|(?:hoort u|hoor je|horen jullie) (?:mij|me)(?: \\p{L}+)?|(?:werkt|doet) (?:hij|het|dit|dat|deze|de microfoon)(?: het)?(?: nu| wel)?|(?:sorry|excuses|excuseer|neem me niet kwalijk|neemt u mij niet kwalijk)(?: voor (?:het|de|mijn|al het|dit) ?(?:lawaai|geklaag|gezeur|verhaal|lange verhaal|onderbreking|herrie|geluid)?)?|ik ben (?:(?:een beetje|wat|best|erg|heel|nogal|zo) )*(?:zenuwachtig|nerveus)',
  prefaces:
    '(?:sorry|excuses) (?:dat|als) ik[^,;:.!?–]*|ik wil (?:\\p{L}+ ){0,2}(?:niet|niemand) (?:klagen|zeuren|lastig zijn|beledigen|kwetsen)[^,;:.!?–]*|ik (?:zal|ga) het kort houden|ik houd? het kort|laat ik dat vooropstellen|ik moet even nadenken|om te beginnen',
  contacts:
    '(?:u|je|jullie) (?:kunt|kan|kunnen|mag|mogen) (?:mij|me|ons) (?:[^,;:]* )?(?:bellen|mailen|bereiken|appen)(?!\\p{L})|(?:bel|mail|app) (?:mij|me|ons)(?=$|[^\\p{L}\\s]| (?:op|via|maar|gerust|als|dan)(?!\\p{L}))|mijn (?:mobiele )?(?:telefoonnummer|nummer|e-?mail(?:adres)?|mailadres) is ',
  particles: 'ja|nou|eh+|uh+|hm+|en|maar|want|dus|ja dus|weet je|zeg maar|eigenlijk',
  conjunctions: 'en|maar|of|want|omdat|dus|als|toen|terwijl|dat|die|waar|wat|zodat|hoewel|tot|om',
  determiners:
    "de|het|een|'t|onze|ons|mijn|jouw|uw|zijn|haar|hun|deze|dit|die|dat|geen|elke|ieder|iedere|meer|veel|nieuwe|oude|van|voor|in|op|aan|bij|met|over|naar|door|per|één|twee|drie",
  beforeVerbs: 'ik je jij u hij ze zij we wij jullie te niet er om kan kunnen wil willen moet moeten',
  endings: 'tjes tje jes je en er es s e',
  unrelated: 'parkeer parkeren parkeert geparkeerd',
  hasCompounds: true,
  titles: {
    refers:
      '(?:dat|dit|die|deze|zoiets)(?= (?:is|was|zijn|waren|zou|zouden|moet|moeten|kan|kunnen|mag|mogen|wil|willen|vind|vindt|heeft|hebben|wordt|worden|maakt|scheelt|lukt|gaat|gaan|helpt|werkt|geeft|kost|hoeft|hoort|staat|had|doet)(?!\\p{L}))|het(?= (?:moet|kan|mag|lukt|werkt|helpt|hoeft|staat|hoort)(?!\\p{L})(?! \\p{L}+ (?:om|dat)))|hem|hen|ervan|erover|ermee|eraan|eronder|daarvan|daarover|daaraan|daarmee|daartegen|daarvoor|(?:er|daar)(?! g?een )(?: \\p{L}+){0,6} (?:aan|over|mee|van|voor|op|tegen(?! dat)|vanaf)(?= |$)(?! (?:de|het|een|dat|mijn|ons|onze)(?!\\p{L}))|(?:er|daar)(?= g?een )(?: \\p{L}+){0,4} (?:aan|over|mee|van|voor|op|tegen)(?=$| (?:nodig|is|zijn|komt|komen|moet|moeten|wil|willen|heb|hebben|vinden|maken|kan|kunnen|wordt|worden)(?!\\p{L}))|zo (?:kan|moet)|vind(?:en)? (?:dat|het)(?! (?:de|het|een|er|we|wij|ik|ze|zij|dat|die|jammer|fijn|goed|mooi|leuk|belangrijk)(?!\\p{L}))|hetzelfde',
    objects:
      '(?<=(?:we|wij|ze|jullie|ik|u|je|men|niemand|iemand) )(?:het(?= (?:kwijt |echt |nu |niet )*\\p{L}+en(?:$|[^\\p{L} ]))|ze(?! ))|(?<=(?:we|wij|jullie|ik|u|je|men) )ze|(?<=(?:als|dat|wanneer) )(?:het|hij|ze)(?= \\p{L}+(?:t|en)(?:$|[^\\p{L} ]))|het(?= te \\p{L}+en(?!\\p{L})|$|[^\\p{L} ])|ze(?= (?:terug|weg|te \\p{L}+en)(?!\\p{L})|$|[^\\p{L} ])|hem|hen|haar(?= (?:niet|te|weer|terug|nooit|graag)(?!\\p{L})|$|[^\\p{L} ])|(?:dat|dit)(?= (?:niet |nooit |zo |echt |ook )*(?:doen|laten|toestaan|willen|veranderen|accepteren)(?!\\p{L}))',
    vague: 'ze|zij|hij|daar|hun',
    introduces: 'mijn naam is|ik heet|ik ben|ik werk|ik woon|wij wonen|we wonen',
    coordinators: 'en|maar|of|want|omdat|terwijl|hoewel|zodat|voordat|dus',
    dependents: 'dat|om|tot|wat|hoe|of',
    continues: 'dan|anders|waar|die',
    auxiliaries:
      'is|zijn|was|waren|zou|zouden|moet|moeten|heeft|hebben|wordt|worden|kan|kunnen|mag|mogen|zal|wil',
  },
  stances: {
    removes:
      'kwijt|sluit(?:en)?(?: van)?|gesloten|sluiting van|dichtdoen|dicht|(?<=(?:moet|moeten|mag|mogen|kan|kunnen|mogen) (?:\\p{L}+ )?)weg|weghalen|weggehaald|weg met|haal(?= .*weg$)|verwijder(?:en|d)?(?: van)?|verwijdering van|verbied(?:en)?|verboden|stop(?:pen)?(?: met)?|gestopt|schrap(?:pen)?(?: van)?|geschrapt|afschaffen(?: van)?|afgeschaft|schaf(?= .*af$)|slop(?:en)?(?: van)?|sloop|gesloopt|afbreken|afgebroken|breek(?= .*af$)|opheffen|opgeheven|hef(?= .*op$)|annule(?:er|ren)|geannuleerd|afgelasten|verdwijn(?:t|en)|verdwenen|opdoeken|kap(?:pen)?(?: van)?|gekapt|omhakken(?: van)?|omgehakt|omzagen|omgezaagd',
    keeps:
      'houd|hou|houden|gehouden|behoud(?:en)?|behouden|bewaar|bewaren|red|redden|gered|open|openen|geopend|heropen(?:en)?|blijf|blijft|blijven|bouw(?:en)?(?: van)?|gebouwd|aanleggen(?: van)?|aangelegd|leg(?= .*aan$)|verleng(?:en|d)?|uitbreiden|uitgebreid|repareer|repareren|gerepareerd|plant|planten|plaats|plaatsen|zet|meer|(?:ben|zijn) (?:(?:ook|wel|niet|zeer|erg|heel|helemaal|absoluut|echt) ){0,2}voor|voorstanders? van|steun|steunen|(?:goed|prima|slecht) idee|(?<=(?<!\\p{L})er (?=.*(?:moet|moeten|mag|mogen|zou|zouden)(?!\\p{L})).*)komen|laat',
    wants: 'nodig|wil|willen|graag|zou(?:den)? graag',
    owns: 'heeft|hebben|heb|had|hadden|zou|zouden',
    improves: {
      before:
        '(?!(?:ander|verder|eerder|later|zomer|winter|water|kamer|over|onder|zeker|lekker|donker)e?(?!\\p{L}))(?:betere?|\\p{L}{3,}ere?)',
      after: '(?:\\p{L}{2,}er|beter) (?:hebben|zien|krijgen|maken)',
    },
    negations: 'niet|nooit|geen|tegen|ertegen|zonder',
    approves: '(?:ben|zijn) (?:\\p{L}+ ){0,2}(?:ervoor|er voor|voorstander)',
    backs:
      '(?:krijgt|krijgen|heeft|hebben) (?:\\p{L}+ )?(?:mijn|onze) (?:volle |volledige )?(?:stem|steun|zegen)',
    refuses: '(?:gaat|gaan)(?: \\p{L}+){0,2} te ver$',
    restrains:
      "aan de (?:\\p{L}+ )?lijn|aangelijnd\\p{L}*|aanlijnen|onder (?:controle|toezicht)|op afstand|(?:hou|houd|houdt|blijf|blijven)(?!\\p{L}).* (?:weg|uit|buiten|van)|(?:weg|uit|buiten|van) .*(?:houden|gehouden|blijven)|(?:wil|willen|laat) (?:de|die|deze|alle) (?:[\\p{L}'-]+ ){1,3}(?:uit|van .* af$)",
    actions: 'het (?!(?:plaatsen|openen|houden|behouden|toestaan|toelaten|invoeren|oprichten) )\\p{L}+en van',
    missing:
      '(?<!(?<!\\p{L})(?:moet|moeten|mag|mogen|hoeft|hoeven|wil|willen|zou|zouden)(?!\\p{L}).*)(?:rijdt|rijden|is|zijn|gaat|gaan|komt|komen|stopt|stoppen|staat|staan|heb|hebben|heeft|was|waren) (?:\\p{L}+ ){0,3}geen(?!\\p{L})(?!.*(?<!\\p{L})(?:nodig|behoefte|reden|zin|idee|voorstander|voorstanders)(?!\\p{L}))',
    regrets: 'jammer|zonde|fout|slecht|vergissing|verlies|ramp|schande|dom',
    loses: 'kwijtraken|kwijt te raken|verliezen',
    welcomes:
      'zou(?:den)? (?:\\p{L}+ ){0,5}(?:fijn|mooi|leuk|goed|geweldig|handig|prachtig|belangrijk|welkom|nuttig)(?: zijn)?',
    reduces: 'minder|geen|zonder|niet|nooit',
    views: 'van mij|wat mij betreft|voor mij(?:n part)?|volgens mij|mijns inziens',
    plans:
      'plan|plannen|verhoging|toename|voorstel|project|bouw|aanleg|komst|invoering|plaatsing|uitbreiding|terugkeer',
    conditions: 'als|wanneer|sinds|toen|nadat|of|omdat|terwijl',
    prepositions:
      'bij|in|op|aan|naast|voor|achter|van|uit|om|met|naar|onder|over|door|tegenover|zonder|tijdens|rond|dan',
    genitives: 'van',
    costs: 'geld|uitgeven|besteden',
    times: 'om|vanaf|tot|eerder|later|vroeger|vóór|voor \\p{L}+ uur|na|tussen|op tijd',
    breaks:
      'en|maar|want|omdat|of|dus|dat(?= (?:de|het|een|er|ik|je|jij|u|hij|ze|zij|we|wij|jullie|men|die|dit|deze|mijn|onze|ons|alle|iedereen|mensen|kinderen)(?=\\s))',
  },
  generic: [
    "zo'n helft trouwens intussen tante oom neef nicht verhaal mensen mens man vrouw vrouwen kind kinderen kids jongen jongens meisje zoon zoontje dochter moeder vader opa oma ouders kleinkinderen familie gezin vriend vriendin buren buurman buurvrouw collega klanten baby jongeren iedereen niemand iemand",
    'tijd dag dagen nacht avond avonds ochtend ochtends middag week weekend maand maanden jaar jaren uur uurtje minuten minuut keer vandaag gisteren morgen maandag dinsdag woensdag donderdag vrijdag zaterdag zondag lente zomer herfst winter',
    'straat straten weg plek plekken plaats plaatsen buurt wijk stad dorp gemeente huis thuis deur raam kamer hoek kant eind begin midden stuk stukje ding dingen soort naam nummer probleem idee leven vraag geval geld euro euros honderd duizend hoop beetje meter kilometer derde tweede half halve ruimte',
    'lopen loop loopt zitten zit staan staat gaan gaat komen komt doen doet maken maakt zien ziet zeggen zegt weten weet denken denkt willen wil moeten moet kunnen kan vinden vind vindt hebben heb heeft worden wordt wonen woon woont werken werk werkt betalen betaal betaalt geven geef krijgen krijg helpen kijken kijk horen hoor hoort praten blijven blijft liggen ligt zetten zet halen haal beginnen begint brengen leren leer wachten rijden rijdt gebruiken kopen slapen verdwijnt gebeuren drinken',
    'goed goede groot grote groter klein kleine nieuw nieuwe oud oude mooi mooie leuk fijn slecht vol leeg kapot kapotte gratis duur donker veilig moeilijk makkelijk echt gewoon juist eigenlijk steeds altijd alleen samen vaak vroeg laat bang druk vies lekker eerlijk snel liever',
  ].join(' '),
}
