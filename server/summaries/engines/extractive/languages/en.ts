import type { Cues } from './cues.ts'

export const en: Cues = {
  code: 'en',
  asks: [
    "please|(?<!(?<!\\p{L})i )(?:should(?:n't)?|must(?:n't)?)|(?:should|must)(?:n't)?(?! (?:not |really |probably |perhaps |just )*(?:say|start|add|admit|mention|confess|tell|explain|apologi[sz]e|complain|stop)(?!\\p{L}))|ought to|let's|how about|why (?:don't|not|can't)|what(?: we need|'s missing| is missing)",
    "(?<!(?<!\\p{L})(?:i|i've|he|she|we|we've|you|people|who) (?:[a-z]+ )?)(?:has|have|needs?|'ve got|'s got) to",
    'we (?:really |urgently |just |all |still |badly )?(?:need|want|ask|demand|wish|hope|propose|suggest|deserve)',
    'i (?:really |urgently |just |only |do |also )?(?:need|want|ask|demand|wish|hope|propose|suggest|expect|vote)',
    "(?:i|we|you|they)(?:'d| would) (?:really |also |just |so |much )?(?:like|love|ask|prefer|rather|appreciate|welcome|suggest)",
    "(?:could|can|couldn't|can't|would|will) (?:you|they|we|there|someone|somebody|the (?:council|city|town)|it be)|needs(?! to)|need (?:a|an|more|better|some|new|\\w+ing)",
    "(?:it|that|this)(?:'d| would) (?:really )?(?:be|make|help)|would|i'd (?!been|had|never)|have to be|be allowed|still waiting",
    "(?:i am|i'm|we are|we're) (?:all |very much |definitely |also |not )?for(?! (?:the (?:first|second|last)|hours|years|days|weeks|months|now|a (?:while|moment|long))(?!\\p{L}))|(?:i|we) (?:\\p{L}+(?:'t)? ){0,2}support|(?:good|great|excellent|wonderful|lovely|brilliant|fantastic) idea|looking for|in favou?r of|what about|i dream|my wish|my dream|it is time|time to|all (?:that )?(?:i|we)(?:'m|'re| am| are)? (?:ask|asking|want|need)|when (?:are|will|do|is|does|can) (?:we|you|they|it|the|this|that|our|somebody|someone)|want to (?:see|stay|keep|have)",
  ].join('|'),
  commands:
    "don't(?! (?:know|think|mind|care|like|get me|have|see|understand|want|need|feel|worry|you)(?!\\p{L}))|cut|drop|try|pay|hire|teach|treat|fix|repair|mend|put|make|build|give|move|keep|stop|ban|bring|open|reopen|close|shut|add|plant|clean|install|lower|raise|remove|leave|let|use|get|do|show|send|turn|extend|paint|cut|listen|start|reduce|increase|replace|save|spend|think|talk|tell|take|set|provide|allow|forbid|change|widen|limit|offer",
  objects: [
    "(?<!nothing |nobody |anything )against|(?<!not an? )(?:bad|terrible|awful|stupid) idea|opposed|oppose|object to|reject|disagree|(?:don't|do not|doesn't|didn't) (?:really |just )?(?:want|agree|need|support)",
    "don't think (?:we|it|that|they|the|this|\\w+ should)|don't see (?:why|the point)|not in favou?r|(?:there's|there is) no need|no need|please(?: do not| don't| no(?: more)?)|(?<!(?:there (?:is|are|was|were)|there's|have|has|had) )no more|(?:don't want|don't need|please not) another",
    "wouldn't(?! mind)|(?:would|\\p{L}+'d) hate|can do without|rather not|leave (?:it|things|everything) as",
  ].join('|'),
  worries: [
    "afraid|scar(?:ed|y|es)|fear\\w*|frighten\\w*|terrif\\w*|anxious|nervous|worr(?:y|ied|ies|ying)|concern(?:ed|s)|dangerous|danger|unsafe|(?:not|n't|never) (?:feel |really |very |be )*safe",
    "fed up|sick of|tired of|had enough|(?:can't|cannot|can hardly|barely) (?:sleep|get|take|stand|bear|go on|afford|breathe)|heartbroken|(?:breaks?|broke|breaking) (?:my|our) heart|heart (?:breaks|bleeds|sinks)|panic\\w*|makes? (?:me|us) (?:so |very |really )?(?:sad|angry|sick|furious|cry)|upset\\w*|angry|annoy\\w*|hate|unfair|not fair|can't be right|isn't right|not right|unacceptable|ridiculous|disgrace\\w*|disgust\\w*|shame",
    "ruin\\p{L}*|destroy\\p{L}*|spoil\\p{L}*|wreck\\p{L}*|filthy|revolting|(?:gets?|has|have|got) my (?:vote|support|blessing)|(?:somebody|someone|people)(?:'s|'ll| is| will| are)(?: going to)? (?:be|get|end up) (?:hit|hurt|killed|injured|run over)|what's lacking|too (?:high|expensive|dear|much for|loud|noisy|fast|dangerous)|lose|losing",
  ].join('|'),
  complains: "too|problem|trouble|broken|terrible|awful|nobody|never|nothing|but|dirty|doesn't work|missing",
  fails:
    "(?:can't|cannot|couldn't|can not)(?! (?:complain|wait|remember|say|imagine|believe|tell|help|thank|be bothered)(?!\\p{L}))|(?:any ?more|no longer)|still (?:no|not|haven't|hasn't|waiting)|(?:far|way|just|much) too|too (?:small|dark|narrow|short|late|early|far|slow|old|few|little|long|hot|cold|full)|not (?:even|enough)|hardly any|barely|out of order|full of (?:holes|rubbish|weeds|water|glass)|impossible|no (?:chance|way|room|space)|fell over|(?:hours|months|years) (?:without|to get)|closed down",
  ifs: 'if',
  openers:
    "yeah|yes|no|so|um|uh|er|erm|hm+|hello|hi|hey|good (?:morning|afternoon|evening|day)|well|right|okay|ok|look|listen|honestly|frankly|you know|you see|i mean|i think|i guess|i'd say|and|but|or|because|then|also|now|anyway|oh|like|to be honest|the thing is|what i want to say is|thanks|thank you",
  greetings:
    'hello|hi|hey|good (?:morning|afternoon|evening|day|night)|welcome|bye(?:[- ]bye)?|goodbye|see you(?: later| soon| tomorrow| next time| then)?|have a (?:nice|good|great|lovely) (?:day|evening|weekend|afternoon|one)|thanks|thank you|cheers|(?:nice|pleased|good) to meet you|take care|how are you(?: doing)?',
  courtesies:
    "everyone|everybody|all|there|again|both|folks|guys|ladies and gentlemen|sir|madam|too|and|to you(?: all)?|very much|so much|a lot|indeed|for (?:listening|having (?:me|us)|coming|your (?:time|attention|help)|asking|the invitation|this opportunity|letting me speak)|ok|okay|yes|no|well|so|right|oh|and that(?:'s| is) (?:all|it)|that(?:'s| is| was) (?:all|it)(?: from me)?",
  asides:
    "(?:other than|apart from|besides) that,?(?: (?:no|i have no|i've no) (?:complaints?|wishes|problems?)| (?:it's|it is|everything's|everything is|i'm|i am|we're|we are|all's|all is)(?: all| very| quite| really| just)? (?:good|fine|well|lovely|great|happy|content|ok|okay)(?: here)?| all (?:good|fine))|no (?:other |further |more )?complaints(?: (?:otherwise|from me|apart from that))?|(?:can|could|do) you (?:all |guys )?hear me(?: (?:now|okay|ok|all right|alright|well|clearly|properly))?|is (?:this|it|that|the (?:microphone|mic|recording|recorder))(?: thing)? (?:on|working|recording|running)(?: now)?|(?:am i|are we) (?:on|recording|live)(?: now)?|(?:i'm |i am )?(?:so |very |really )?(?:sorry|my apologies|apologies|excuse me)(?: (?:about|for) (?:the |my |that |this |all )*(?:noise|background noise|rant|rambling|ranting|outburst|interruption|delay|english|language|voice|confusion|trouble|long story|going on|going on so long|being late|that|this))?|(?:i'm|i am)(?: (?:a bit|a little|so|very|quite|really|rather|just))* nervous",
  prefaces:
    "i know (?:this|it|that|i)(?:'ll| will| won't| might| may| probably| would)(?: probably| not)? (?:sound|be popular|seem|be (?:an )?unpopular)[^,;:.!?–]*|(?:(?:i'm|i am) )?(?:so |very |really )?sorry (?:if|that) i[^,;:.!?–]*|i (?:don't|do not) (?:want|mean) to (?:moan|complain|be (?:rude|negative|difficult)|sound|offend|bother|criticise|criticize)[^,;:.!?–]*|i(?:'ll| will) (?:be (?:quick|brief)|keep (?:it|this) short)|(?:please )?bear with me|this (?:may|might|will|probably) sounds?[^,;:.!?–]*|first of all|i've never done this before|is it my turn",
  contacts:
    "(?:(?:you|they) (?:can|could|may) |please |just |feel free to |do )?(?:call|phone|ring|reach|contact|text|e-?mail|write to|write) (?:me|us)(?=$|[^\\p{L}\\s]| (?:on|at|by|via|under|any ?time|if you|for (?:more|details|questions)|whenever|through|back)(?!\\p{L}))|my (?:(?:phone|mobile|telephone|cell) )?number(?:'s| is) |my e-?mail(?: address)?(?:'s| is) ",
  particles:
    'yeah|so|um|uh|er|erm|hm+|well|okay so|and|but|because|anyway|you know|i mean|what i mean is|the thing is',
  conjunctions:
    'and|but|or|just because|(?<!just )because|so|if|when|since|although|though|while|where|which|who|that|until|then|as|to',
  adjectives: '\\p{L}+(?:ful|less|ous|ive|able|ible|ic|al|ary|ish|ed|est|y|ly|er)',
  determiners:
    'the|a|an|our|my|your|his|her|their|its|this|that|these|those|some|any|no|every|each|more|another|new|old|of|for|in|on|at|by|with|without|about|from|near|one|two|three|many|few|street|public|community',
  beforeVerbs:
    "i you he she it we they to can could will would must should may might do does did don't doesn't didn't can't won't wouldn't not never who let's please i'd we'd",
  endings: 'ings ing ies ied ists ist ers er ed es s y e',
  unrelated: 'parking parked carpark|training|officer|busy busier busiest|poster|flower',
  titles: {
    refers:
      "(?<!because of )it(?! (?:if|when|easier|harder|safer|possible|impossible)(?!\\p{L}))(?!(?:'s|'d|'ll| is| was| would| will| could| should| might| must| can| can't| wouldn't| isn't| takes| took| makes)(?: \\p{L}+){0,5} (?:to|that|if|when|for|time)(?!\\p{L}))|its|them|him|(?:that|this|these|those|which)(?=(?:'s|'d| is| was| are| were| would| should| must| has| have| had| can| could| will| makes| works| helps| too| way)(?!\\p{L})|$)|that(?= \\p{L}+s (?:me|us|my|our|people|everyone)(?!\\p{L}))|(?:find|have|know|want|like|hate|need|stop) that(?=$| (?:really|too|very|so|as well|again|anyway)(?!\\p{L}))|say (?:that|this)|do (?:that|this|so)|like (?:that|this)|the same|one of them",
    objects:
      "it(?= (?:and|or|but|because|so|before|after|for|in|on|at|by|with|from|again|back|open|up|down|away|now|please|soon|too|either|anymore|any|as|then|there|here|until|while|like|properly|going|alive|clean|safe)(?!\\p{L})|$|[^\\p{L} '])|them|him|her(?=$|[^\\p{L} '])|(?:do|allow|accept|change|stop|support) (?:that|this)(?=$| (?:to us|again|anymore|at all|please|now)(?!\\p{L})|[^\\p{L} '])",
    vague:
      "they|he|she|their|his|her|there(?!(?:'s|'d| is| are| was| were| should| must| could| would| needs?| has| have| will| can) )",
    introduces: "my name is|i am|i'm|i work|i live|we live",
    coordinators: 'and|but|or|so|just because|(?<!just )because|although|though|while|until|before|after',
    dependents: 'that|to|than|as|what|how|whether|of',
    continues: 'then|otherwise|which|who|whose|whom|where|somewhere',
    auxiliaries:
      "is|are|was|were|would|should|must|has|have|had|will|can|could|does|did|isn't|aren't|wasn't|won't|doesn't|might|may",
  },
  stances: {
    removes:
      "clos(?:e|ed|ing)(?: down)?|closure of|shut(?:ting)?(?: down)?|remov(?:e|ed|ing)|removal of|get(?:ting)? rid of|(?:(?<=^|(?:to|please|must|should|could|can|would|will|you|they|we|let's|just|not|n't) )(?:stop|end|drop))(?! (?:at|here|there))|stopp(?:ed|ing)|ban(?:ned|ning)?|forbid(?:den)?|prohibit(?:ed)?|cancel(?:l?ed|l?ing)?|cancellation of|scrap(?:ped|ping)?|abolish(?:ed|ing)?|demolish(?:ed|ing)?|demolition of|(?:tear|torn|tearing|pull|pulled|pulling|knock|knocked) down|tak(?:e|en|ing) (?:down|away|out)|do away with|(?:cut|cutting|chop|chopped|chopping) down|fell(?:ed|ing)?(?= (?:\\p{L}+ ){0,3}trees?(?!\\p{L}))|(?:must|should|has to|have to|needs to|need to|ought to) (?:go|disappear)|gone|down with|dropped|put an end to",
    keeps:
      "keep(?:ing)?|kept|re-?open(?:ed|ing)?|open(?:ed|ing)?|sav(?:e|ed|ing)|extend(?:ed|ing)?|extension of|expand(?:ed|ing)?|build(?:ing)?|built|rebuild|preserv(?:e|ed|ing)|protect(?:ed|ing)?|maintain(?:ed)?|stay|remain|leave|install(?:ed|ing)?|plant(?:ed|ing)?|put up|put|add(?:ed|ing)?|repair(?:ed|ing)?|fix(?:ed|ing)?|mend(?:ed|ing)?|restor(?:e|ed|ing)|bring(?: back)?|replant|provide|give us|more|another|in favou?r of|(?:am|i'm|are|we're)(?: all| very much| definitely| also| not)? for|support|(?:is|are|be|isn't|aren't) (?:not |really |also |actually )?an? (?:\\p{L}+ )?(?:good|great|excellent|wonderful|lovely|brilliant|fantastic|bad|terrible|awful|stupid) idea|how about|let's have|long live",
    wants: "want|needs?|(?:would|i'd|we'd) (?:really |also )?(?:like|love|welcome)|could use|could do with",
    improves: {
      before:
        '(?!(?:another|other|former|outer|inner|upper|lower|summer|winter|corner|water|paper|over|under|after|ever|never)(?!\\p{L}))(?:better|\\p{L}{2,}er)',
      after: 'to (?:be|become|get|have|feel|look|run|work|go)|(?:\\p{L}{2,}er|better)(?: and \\p{L}+)?$',
    },
    negations:
      "(?<!why )(?:(?!(?:can|could|wo|would|should)n't (?:you|we|they|someone))\\p{L}+n't|not|cannot|never)|no|nobody|against|oppos\\p{L}*|object to|reject\\p{L}*|disagree\\p{L}*",
    backs: '(?:gets?|got|has|have) (?:my|our) (?:full |whole |total )?(?:vote|support|blessing|approval)',
    refuses: '(?:goes|go|going|gone)(?: \\p{L}+)? too far$',
    restrains:
      "(?:on|off|without) (?:an? |the |their |its )?(?:short )?(?:leash|leashes|lead|leads)|under (?:\\p{L}+ )?control|(?:keep|keeping|kept|stay|remain)(?!\\p{L}).* (?:away|off|out)(?: of| from)?|(?:want|like|love|need|leave) (?:[\\p{L}'-]+ ){1,4}(?:off|out of)",
    actions:
      '(?!(?:allow|hav|lett|permitt|introduc|creat|erect|gett|mak)ing)\\p{L}+ing (?:the|our|my|your|their|this|that|these|those)',
    missing:
      "there(?:'s|'re| is| are| was| were)(?: \\p{L}+)? no(?! (?:need|reason|point))|there (?:isn't|aren't) (?:an?|any|enough)(?! (?:need|reason|point))|(?:have|has) no(?! (?:need|interest))|nowhere (?:left )?(?:to|for)|no longer (?:any|an?|comes?|runs?|goes|go|stops?|there|here)",
    regrets:
      'shame|pity|mistake|wrong|sad|stupid|terrible|hate|loss|disaster|tragedy|catastrophe|unfair|bad|worse|crazy|madness|nonsense|ridiculous|foolish|awful',
    evaluates: 'would(?! like| love| welcome)',
    praises:
      'good|great|nice|right|best|better|help\\p{L}*|wonderful|lovely|fantastic|relief|welcome|improve\\p{L}*',
    loses: '(?<!mind )los(?:e|ing)',
    welcomes:
      'would(?: really| also| just)? be (?:\\p{L}+ ){0,3}(?:great|lovely|wonderful|nice|good|fantastic|brilliant|important|useful|helpful|ideal|perfect)',
    reduces: 'fewer|less|without|no|not|never',
    views: "for my part|for me|as far as i'm concerned|if you ask me|in my (?:opinion|view)",
    plans:
      'plans?|increase|rise|proposals?|projects?|construction|building|introduction|creation|installation|return|expansion|extension|presence|approval',
    conditions: 'if|when|whenever|unless|since|after|before they|because',
    prepositions:
      'of|at|in|on|near|around|by|from|for|to(?= (?:the|a|an|our|my|this|that))|with|without|behind|beside|opposite|next|outside|inside|about|under|over|through|into|during|before|after|until|against|than|instead',
    genitives: 'of',
    costs: 'spend\\p{L}*|spent|money',
    times:
      'at(?! (?:the|this|that|all))|by|before|after|earlier|later|sooner|until|between|on time|too (?:early|late)|so (?:early|late)',
    breaks: 'and|but|because|so|or|while|then',
  },
  generic: [
    'aunt uncle cousin nephew niece grandad story told went came people person man men woman women guy lady folk kid kids child children boy girl son daughter mum mother dad father wife husband sister brother gran grandchildren grandma parents family families friend neighbour neighbor neighbours colleague mate baby teenagers',
    'time times day days night evening morning afternoon noon week weekend weekends month year years minute minutes hour hours today yesterday tomorrow monday tuesday wednesday thursday friday saturday saturdays sunday sundays spring summer autumn winter january february march april may june july august september october november december midnight',
    'street road place places area side corner way town city village council house home door window room flat square centre middle front end part bit lot thing things stuff kind sort number name problem trouble idea reason life world question case matter point message sentence job money pound pounds euro euros mile miles half hundred thousand million',
    'walk sit pay live work go come take get make see say tell know think want need like love look hear feel find give put keep start stop open close use help call talk move wait stand run turn leave ask try happen mean move buy sell drive eat drink read write sleep meet stay build bring carry love hope wish miss spend watch learn grow worry play shut send repair fix',
    'good bad big small new old nice great lovely best better worse little long short late early full empty broken free expensive cheap dark safe hard easy simple fine terrible dangerous young proper real main different whole own scared afraid worried honest right wrong past last next first second',
    'actually really honestly maybe probably frankly anyway everybody everyone somebody someone nobody nothing something anything everything else left back away home round',
  ].join(' '),
}
