/**
 * How people of one language say what they want, in patterns without anchors. They are compared in lower case, with straight
 * apostrophes, and match whole words.
 */
export interface Cues {
  /** ISO 639-1. */
  code: string
  /** "we need", "it would be nice". */
  asks: string
  /** Commands, at the beginning of a sentence or after its first words: "fix". */
  commands: string
  /** "I am against", "no more". */
  objects: string
  /** "I am afraid", "I can't sleep". */
  worries: string
  /** "too", "the problem": weaker, because many sentences that explain contain them. */
  complains: string
  /** Troubles: "you can't see anything", "no longer there", "far too small". Below a wish, because stories contain them, too. */
  fails: string
  /** "If", without words that also begin stories ("when they closed the bridge"): what follows can be a removal that the person fears. */
  ifs: string
  /** Words before a comma at the beginning of a sentence that a title does not need: "good morning". */
  openers: string
  /** A sentence of these and of `courtesies` says nothing: "good morning", "thank you", "goodbye". */
  greetings: string
  /** Words around a greeting: "everyone", "for listening". */
  courtesies: string
  /** Whole sentences beside the subject: "is this working", "sorry for the noise". */
  asides: string
  /** How people lead up to their point: "sorry that I …", "I don't want to complain", "I'll be quick". Clauses that a title does not need. */
  prefaces: string
  /** The beginning of a sentence that offers contact details: "you can call me on". */
  contacts: string
  /** Those that it does not need without a comma, either: "well". */
  particles: string
  /** Words that begin a clause: "because". */
  conjunctions: string
  /** Words before a noun: articles, possessives, prepositions. */
  determiners: string
  /**
   * Words without an article between a noun and one that says of what kind it is: "aire *de* jeux". Undefined where that word comes
   * before the noun.
   */
  kinds?: string
  /** Endings of adjectives, as patterns of whole words, where adjectives stand before nouns without a sign of their own. */
  adjectives?: string
  /** Words before a verb: pronouns, negations. Empty where capital letters show nouns. */
  beforeVerbs: string
  /** Endings of inflected words, the longest first. */
  endings: string
  /**
   * Beginnings of words that are not related to a word that looks like them: those for parking a car have nothing to do with a park.
   * Words separated by spaces are one family; families are separated by `|`. Without accents.
   */
  unrelated?: string
  /** Whether nouns are written together: `Mülltonne`. */
  hasCompounds?: true
  titles: TitleCues
  stances: StanceCues
  /** Words that do not name a subject, in addition to stop words: people, time and place, everyday verbs, units. */
  generic: string
}

/** Words that show whether a title can stand alone, and where a sentence can be divided. Patterns as above. */
interface TitleCues {
  /** Words for something that another sentence names: "it", "them", "that is". */
  refers: string
  /**
   * Pronouns that are the object of a verb: "to lose it". Only a noun before them is what they are about. These patterns are compared
   * with the text as it is written, because in German "Sie" is a form of address.
   */
  objects: string
  /** The same, where a reader can do without it: "they should", "there". */
  vague: string
  /** With these words people introduce themselves: "I am". */
  introduces: string
  /** Words between two clauses that can stand alone: "and", "because". Between them a sentence can be divided without a comma. */
  coordinators: string
  /** Words that make a clause a part of the one before: "that", "to". */
  dependents: string
  /** Words with which a clause continues the one before, which is complete without it: "where", "then". */
  continues: string
  /** Words that begin a reason or an addition after a comma, and a clause that completes another one without a comma: ", que". */
  adds?: string
  /** Verbs with which no clause begins, unless it lost its subject: "would". */
  auxiliaries: string
}

/** How people say that they want to have or keep something, or to have it removed. Patterns as above. */
interface StanceCues {
  /** "close", "get rid of", "closure of". Forms after which the object stands, and before which it stands ("the kiosk must go"). */
  removes: string
  /** "keep", "build", "more". */
  keeps: string
  /** "we need", "I want". Where the object stands only after them, the words before them name who needs it: "the pool needs warmer water". */
  wants: string
  /** Where the object can stand before such a verb, the words that separate it from who needs it: "het zwembad *heeft* warmer water nodig". */
  owns?: string
  /** Right before or after the object of such a wish: it is there, and is to be different ("a better path", "I want the path to be wider"). */
  improves: { before: string; after: string }
  /** "not", "against". */
  negations: string
  /** "I am in favour" where the clause after it says of what: "ich bin dafür, dass …". */
  approves?: string
  /** "(The pool) gets my vote": the subject is before it, or in the clause before. */
  backs: string
  /** The same against it: "that goes too far". */
  refuses: string
  /** The subject stays but is kept under control or elsewhere: "keep dogs on a leash", "keep dogs away from the lake". */
  restrains: string
  /** An action on the object that neither removes nor keeps it: "against *renaming the* park". */
  actions: string
  /** The subject is missing, or no longer exists: "there is no bus". */
  missing: string
  /** "it would be a shame". */
  regrets: string
  /** A verb that evaluates a removal or a plan, where the language's requests use the same word: "closing it would be …". */
  evaluates?: string
  /** "a good idea", after such a verb. */
  praises?: string
  /** "Lose": people who say so would like to keep it. */
  loses: string
  /** "(A bench) would be lovely": the subject is before it. Not if one of the words in `reduces` is in the clause ("fewer benches"). */
  welcomes: string
  reduces: string
  /** Before the wish itself: "for my part". */
  views: string
  /** An objection to "the plan of a tower" is one to the tower, but one to "the noise of the bar" is not against the bar. */
  plans: string
  /** A clause with one of these words is not a wish: "if". */
  conditions: string
  /** The word after one of these is not the object of a verb: "the noise at the kiosk". */
  prepositions: string
  /** The prepositions that join two nouns: "another day of market" is about the market. */
  genitives: string
  /** "I would not spend that on a pool" is about the pool. */
  costs: string
  /** After a verb: "close at ten" and "close later" say when, not whether. */
  times: string
  /** Words that begin another clause. */
  breaks: string
}
