import type { Cues } from './cues.ts'

export const es: Cues = {
  code: 'es',
  asks: [
    'lo que (?:nos |me )?falta|nos falta(?:n)?|a favor de(?:l| que)?|(?:apoyo|apoyamos)|partidari[oa]s? de(?:l| que)?|(?:buena|excelente|gran) idea',
    'hay que|habría que|hace(?:n)? falta|haría(?:n)? falta|(?:nos|me) haría(?:n)? falta|(?:quiero|queremos|quisiera|quisiéramos|pido|pedimos|exijo|exigimos|propongo|proponemos|espero|esperamos|ojalá|sugiero|deseo|solicito|solicitamos)(?! hablar)|(?:me|nos) (?:gustaría|encantaría|alegraría)|gustaría|necesit(?:o|a|amos|an)|por favor|debería(?:n|mos)?|deben?|tendría(?:n)? que|tienen? que(?! ir)|podría(?:n|mos|is)?|pueden ustedes|estaría bien|\\p{L}*(?:ar|ir|dr|br)ía(?:n|mos)?|(?:s|deb|v|le|com|corr|met|mov|volv|vend|pon|hac|ofrec|conoc|parec|merec|agradec|favorec|romp|perd|entend|defend)ería(?:n|mos)?|falta(?:n)? (?:más|un|una)|que (?:vuelvan|pongan|terminen|arreglen|abran|quiten|hagan|limpien|bajen|dejen|den|cada uno)|cuándo (?:van|va|vamos|abren|piensan|habrá|tendremos|ponen|arreglan|será)|por qué no|es hora de|ya es hora|buscamos|mi deseo|vendría bien|no pido más',
  ].join('|'),
  commands:
    'que (?!yo sepa|sepamos|conste|si|sí|no sé|va|digo|es|son|está|están|hay|era)(?:(?:no|nos|me|les|le|lo|la|los|las|se|ya|al menos|por lo menos) )*\\p{L}+(?:en|an|e|a|emos|amos)|pongan|arreglen|abran|quiten|hagan|limpien|bajen|dejen|den|planten|construyan|cierren|prohíban|pon|arregla|haz|mantengan|escuchen|reparen|instalen|amplíen|muevan|cuiden|terminen|traigan|piensen|salven|reduzcan',
  objects: [
    '(?<!nada )en contra|estoy contra|(?<!nada )contra (?:el|la|los|las|un|una|este|esta)|me opongo|rechaz(?:o|amos)|(?<!no es una )mala idea|nos oponemos|no (?:estoy|estamos) (?:de acuerdo|a favor)|no (?:quiero|queremos|necesitamos|necesito|\\p{L}+ría(?:mos)?|veo (?:por qué|necesario))|no hace falta|no más|ni un \\p{L}+ más|basta de|sobra(?:n)?|que no (?:pongan|cierren|hagan|suban|construyan|quiten)|no (?:(?:me|nos|les|le|se|lo|la|los|las) )*(?:cierren|pongan|suban|quiten|construyan|hagan|talen|corten|derriben|eliminen|supriman|retiren)',
  ].join('|'),
  worries: [
    'arruin\\p{L}*|destroz\\p{L}*|asqueros\\p{L}*|repugnan\\p{L}*|tienen? mi (?:voto|apoyo)|va a haber (?:una? )?(?:desgracia|accidente|muerto)|así no (?:se puede|podemos|puedo)(?: \\p{L}+)?|miedo|(?:me|nos) dan? (?:\\p{L}+ )?(?:pánico|terror|rabia|pena|asco|tristeza)|(?:me|nos) (?:parte|rompe) el (?:alma|corazón)|preocup\\p{L}*|temo|tememos|temor|asust\\p{L}*|peligros\\p{L}*|peligro|insegur\\p{L}*|no (?:me |nos )?(?:siento|sentimos) segur\\p{L}*|hart[oa]s?|cansad[oa]s? de|insoportable|inaceptable|vergüenza|injust\\p{L}*|no es justo|no puede ser|no hay derecho|no (?:puedo|podemos|se puede) (?:más|dormir|descansar|vivir|pagar|permitir\\p{L}*)|enfad\\p{L}*|indign\\p{L}*|molest\\p{L}*|una pena|lástima|demasiado (?:car|ruidos|peligros|alt)\\p{L}*|no hay quien (?:duerma|viva|descanse|aguante)',
  ].join('|'),
  complains:
    '(?:me|nos) duele|demasiad\\p{L}*|problema|rot[oa]s?|nunca|nadie|ningún|ninguna|pero|suci[oa]s?|siempre|imposible|apenas',
  fails:
    'no (?:se |me |nos )?(?:puedo|puede|podemos|pueden|hay (?:manera|forma|quien|sitio)|cabe|caben|funciona|funcionan|llega|llegan)|no se ve|ya no|todavía no|sigue(?:n)? sin|ni siquiera|(?:muy|demasiado) (?:pequeñ[oa]s?|oscur[oa]s?|estrech[oa]s?|cort[oa]s?|tarde|pronto|lejos|lent[oa]s?|viej[oa]s?|car[oa]s?|llen[oa]s?)|en ninguna parte|por ningún lado|imposible|cada vez que|otra vez|llen[oa]s? de (?:agujeros|baches|basura|cristales|agua)|apenas|no hay quien',
  ifs: 'si',
  openers:
    'hola|buenos días|buenas(?: tardes| noches)?|bueno|pues|a ver|eh+|em+|este|sí|no sé|mire|mira|oiga|oye|verá|la verdad|sinceramente|y|pero|o|porque|entonces|o sea|claro|vale|gracias|yo creo que|creo que|pienso que|además',
  greetings:
    'hola|buen(?:os|as)(?: (?:días|tardes|noches))?|buen día|bienvenid[oa]s?|adiós|hasta (?:luego|mañana|pronto|la próxima|la vista)|nos vemos|chao|gracias|se lo agradezco|un saludo|saludos|encantad[oa]|mucho gusto|qué tal|cómo (?:estás?|están|estáis)|que (?:tengan|tengas|tenga) (?:un )?buen(?:as?)? (?:día|tarde|noche)',
  courtesies:
    'a (?:todos|todas|usted|ustedes|vosotros|ti)(?: y (?:a )?todas)?|todos|señor(?:es|as?)?|y|de nuevo|otra vez|muy|muchas|muchísimas|mil|sí|no|bueno|pues|vale|también|por (?:escuchar(?:me|nos)?|su atención|su tiempo|vuestra atención|la atención|la invitación|invitarme|venir|todo|su ayuda)|eso es todo|es todo|nada más',
  asides:
    '(?:por lo demás|aparte de eso|quitando eso),? (?:todo (?:está |va )?(?:muy )?bien|bien|sin quejas|estoy (?:content[oa]|bien)|ninguna queja)|no tengo (?:más|otras|otra) (?:quejas?|que decir)|(?:me (?:oyen|oye|oís|oyes|escuchan|escucha|escuchas|escucháis)|(?:pueden|puede|podéis|puedes) (?:oírme|escucharme)|se me (?:oye|escucha))(?: \\p{L}+)?|(?:funciona|graba|está grabando)(?: esto| el micrófono)?|esto funciona|(?:perdón|perdonen?|perdonad|disculpen?|disculpad|lo siento)(?: (?:por )?(?:el|la|las|los) (?:ruido|desahogo|molestia|molestias|interrupción|retraso|enfado))?|estoy (?:(?:un poco|muy|bastante|algo) )*(?:nervios[oa])|me pongo nervios[oa]',
  prefaces:
    '(?:perdón|perdonen?|perdonad|disculpen?|disculpad),? (?:que|si)[^,;:.!?–]*|no (?:quiero|quisiera) (?:quejarme|molestar|criticar|ofender)[^,;:.!?–]*|seré breve|a lo que iba|vamos a ver|no sé si[^,;:.!?–]*|para empezar',
  contacts:
    '(?:me (?:pueden?|podéis|puedes) (?:llamar|contactar|escribir|localizar)|(?:pueden?|podéis|puedes) (?:llamarme|contactarme|escribirme|localizarme|contactar conmigo))(?!\\p{L})|(?:llámenme|llámeme|llamadme|escríbanme|escríbame)(?!\\p{L})|mi (?:número|teléfono|móvil|correo|e-?mail)(?: \\p{L}+){0,2} es ',
  particles: 'pues|bueno|eh+|em+|y|pero|porque|entonces|o sea|pues mire|a ver',
  conjunctions: 'y|e|pero|o|porque|que|cuando|si|donde|como|aunque|así que|para|mientras|sino|pues',
  kinds: 'de|para|en',
  determiners:
    'el|la|los|las|un|una|unos|unas|del|al|de|mi|mis|nuestro|nuestra|nuestros|nuestras|su|sus|este|esta|estos|estas|ese|esa|esos|esas|más|cada|otro|otra|otros|en|con|sin|sobre|dos|tres',
  beforeVerbs: 'yo tú él ella nosotros ellos ellas me te se nos no ya a',
  endings: 'ciones cion es os as o a e s',
  titles: {
    refers:
      'eso|esto|aquello|lo(?! (?:que|de|más|mejor|peor|único|mismo|primero|demás|malo|bueno|menos|importante)(?!\\p{L}))(?= \\p{L})|\\p{L}{2,}[aei]r(?:lo|la|los|las|les)|\\p{L}{3,}(?:en|an|n)(?:lo|los|las)|(?:él|ella|ellos|ellas)|(?:ese|esa|esos|esas|este|esta|estos|estas)(?= (?:es|son|está|debe|tiene|no)(?!\\p{L}))|así(?= (?:no|\\p{L}+mos)(?!\\p{L}))',
    objects:
      '(?!charlas?)\\p{L}{2,}[aei]r(?:lo|la|los|las|les)|\\p{L}{3,}(?:en|an|n)(?:lo|los|las)|(?<=^|(?:que|no|nos|si|se) )(?:lo|la|los|las)(?= \\p{L}{2,}(?:aran|ieran|asen|iesen|ráis|an|en|amos|emos|áramos|iéramos)(?!\\p{L}))|(?:hacer|hagan|permitir|permitan|aceptar) (?:eso|esto)',
    vague: 'ahí|allí|les',
    introduces: 'me llamo|mi nombre es|tengo \\p{L}+(?: \\p{L}+){0,3} años|soy|yo soy|trabajo|vivo|vivimos',
    coordinators: 'y|e|pero|o|porque|aunque|así que|mientras|sino|pues',
    dependents: 'que|como|para|de|a',
    adds: 'que',
    continues: 'entonces|si no|donde|quien|cual',
    auxiliaries: 'es|son|era|eran|sería|serían|fue|está|están',
  },
  stances: {
    removes:
      'cierre (?:de|del)|cierr(?:en|e|a|an)|cerr(?:ar|ad|ado|ada|ados|adas|emos)|quit(?:en|e|ar|ad|ado|ada|emos)|elimin(?:en|e|ar|ad|ado|ada|emos)|eliminación (?:de|del)|retir(?:en|e|ar|ad|ado|ada)|prohíb(?:an|a)|prohib(?:ir|id|ido|ida|amos)|prohibición (?:de|del)|cancel(?:en|e|ar|ad|ado|ada)|suprim(?:an|a|ir|ido|ida)|derrib(?:en|e|ar|ado|ada)|demol(?:er|ido|ida)|demuelan|acab(?:en|ar) con|par(?:en|ar|ad)|dejen de|desap(?:arecer|arezca|arezcan)|(?<=^)fuera|basta de|abajo|tal(?:en|ar|ad|ado|ados)|tala (?:de|del)|(?:corten|cortar)(?= (?:\\p{L}+ ){0,3}árbol(?:es)?(?!\\p{L}))',
    keeps:
      'manten(?:er|gan|ga|gamos|ed)|conserv(?:en|e|ar|emos)|guard(?:en|ar)|salv(?:en|e|ar|emos)|proteg(?:er)|protejan|re?abr(?:an|a|ir|id|amos)|abran|abrir|abiert[oa]s?|ampl(?:íen|iar|íe)|extiendan|extender|alargu?(?:en|ar)|constru(?:yan|ya|ir|id|yamos)|qued(?:e|en|ar|arse)|dej(?:en|ar)(?! de)|repar(?:en|ar)|arregl(?:en|ar)|plant(?:en|ar)|pong(?:an|a)|poner|instal(?:en|ar)|añad(?:an|ir)|más(?! que)|otr[oa]s?|hace[n]? falta|falta[n]?|haya[n]?|viva[n]?|a favor de(?:l| que)?|apoy(?:o|amos)|partidari[oa]s? de(?:l| que)?|(?:buena|excelente|gran|mala) idea',
    wants:
      'necesit(?:o|a|an|amos|aría|aríamos|arían)|quier(?:o|en)(?! que)|queremos(?! que)|quisi\\p{L}+(?! que)|(?:me|nos) gustaría(?! que)|pedimos(?! que)',
    improves: {
      before: 'mejor(?:es)?',
      after: '(?:más|menos|mejor)(?! (?:tarde|temprano|pronto|cerca|lejos|que)(?!\\p{L})) \\p{L}+',
    },
    negations: 'no|nunca|jamás|contra|en contra|rechaz\\p{L}*|opong\\p{L}*|oponemos|sin|ni',
    backs: '(?:tienen?|tendrán?) (?:todo )?(?:mi|nuestro) (?:voto|apoyo)',
    refuses: '(?:va|van|es ir) demasiado lejos$|(?:pasa|pasan) de la raya$',
    restrains:
      'con (?:la )?correa|sin correa|atad[oa]s?|bajo control|alej(?:en|ar|ad)|(?:manten|mantien|guard|qued|dej|ten)\\p{L}* .*(?:lejos|fuera|apartad[oa]s?|alejad[oa]s?)|(?:quier[oe]n?|queremos|quisiera) (?:a )?(?:el|la|los|las|esos|esas) .*fuera|dej\\p{L}* .*apagad[oa]s?',
    actions:
      '(?!(?:tener|permitir|crear|traer|introducir|dejar|autorizar) )\\p{L}+[aei]r (?:el|la|los|las|este|esta|nuestro|nuestra)',
    missing:
      'no (?:hay|había|existen?|pasan?|tenemos|tengo|llegan?|quedan?|circulan?)(?! (?:\\p{L}+ )?(?:necesidad|razón|derecho|que|motivo)(?!\\p{L}))',
    regrets: 'lástima|pena|mala|error|pérdida|desastre|catástrofe|injust\\p{L}*|locura',
    evaluates: 'sería|serían',
    praises: 'bien|bueno|buena|mejor|ideal|genial|útil|perfect\\p{L}*',
    loses: 'perd(?:er|amos|emos|ería|eríamos)|pierd(?:a|an|en)',
    welcomes:
      '(?:sería|serían|estaría|vendría)[n]? (?:\\p{L}+ ){0,2}(?:bien|buen[oa]?|ideal|genial|útil(?:es)?|perfect\\p{L}*|important\\p{L}*|estupend\\p{L}*|maravillos\\p{L}*)',
    reduces: 'menos|sin|no|ningún|ninguna',
    views: 'por mí|por mi parte|en lo que a mí respecta|en mi opinión|para mí',
    plans:
      'proyectos?|aumento|subida|propuestas?|plan(?:es)?|construcción|instalación|creación|introducción|autorización|presencia|vuelta|ampliación',
    conditions: 'si|cuando|desde|después|aunque|porque',
    prepositions:
      'de|del|a|al|en|con|sin|por|para|cerca|junto|delante|detrás|sobre|bajo|hasta|desde|contra|durante|frente|más que',
    genitives: 'de|del',
    costs: 'dinero|gast\\p{L}*',
    times: 'a las?|antes|después|más (?:tarde|temprano|pronto)|hasta|entre|tan (?:tarde|pronto|temprano)',
    breaks: 'y|e|pero|o|porque|aunque|sino',
  },
  generic: [
    'tía tío primo prima sobrino sobrina historia gente persona personas señor señora hombre mujer niño niña niños niñas hijo hija hijos hijas madre padre abuelo abuela abuelos nietos marido familia padres amigo amiga vecino vecinos vecina compañero clientes bebé bebés jóvenes alumnos todos nadie alguien mundo',
    'tiempo día días noche noches tarde tardes mañana mañanas semana semanas fin fines mes meses año años hora horas minuto minutos vez veces hoy ayer lunes martes miércoles jueves viernes sábado sábados domingo domingos primavera verano otoño invierno agosto',
    'calle sitio sitios lugar barrio ciudad pueblo ayuntamiento casa puerta ventana ventanas habitación esquina lado final medio mitad parte cosa cosas tipo nombre número problema idea vida pregunta caso dinero euro euros cien mil millones centro verdad plaza',
    'ir va voy van venir viene vengo hacer hace hago hay ser estar tener tengo tiene ver decir dice saber sabe pensar querer quiero quieren poder puedo puede deber poner pone dar doy vivo vivir vive trabajo trabajar pagar pago cuesta comprar quedar queda esperar encontrar dormir comer hablar pasar pasa pasan buscar buscando llevo llevar dejar deja empieza empezar cierra cerrar abrir sale salir llamar sentar quitar tira gusta necesito perder pierdo',
    'bueno buena bien grande pequeño nuevo nueva viejo vieja viejos bonito malo lleno vacío roto rotos gratis caro difícil fácil siempre nunca solo mayor enorme encantada preciosa maravilla peligroso',
  ].join(' '),
}
