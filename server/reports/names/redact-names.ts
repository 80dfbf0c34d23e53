import { redactContacts } from '../contacts/redact-contacts.ts'
import { labelsFor } from '../render/labels.ts'
import type { Position } from '../render/report-document.ts'
import type { StoredDocument } from '../stored-document.ts'

/** Words before a name, in the six languages of the labels: forms of address, relatives and friends, introductions. */
const BEFORE_NAMES = [
  String.raw`(?:Mr|Mrs|Ms|Miss|Dr|Doctor|Prof|Professor|Herrn?|Frau|Doktor|Mme|M|Mlle|Sra?|Sig|Dott)\.?`,
  `(?:meneer|mevrouw|juf|juffrouw|meester|madame|mademoiselle|monsieur|señor|señora|señorita|don|doña|signor|signora|signorina|dottor|dottoressa)`,
  String.raw`(?:my|our|his|her|their) (?:\p{Ll}+ )?(?:son|daughter|husband|wife|brother|sister|mother|father|neighbou?r|friend|boss|teacher|colleague|aunt|uncle|grandson|granddaughter)`,
  String.raw`(?:mein|unser|sein|ihr)e?[rnm]? (?:\p{Ll}+ )?(?:Sohn|Tochter|Mann|Frau|Bruder|Schwester|Mutter|Vater|Nachbarin|Nachbar|Freundin|Freund|Chefin|Chef|Lehrerin|Lehrer|Kollegin|Kollege|Tante|Onkel|Enkel)`,
  String.raw`(?:mijn|onze|ons|zijn|haar) (?:\p{Ll}+ )?(?:zoon|dochter|man|vrouw|broer|zus|moeder|vader|buurvrouw|buurman|vriendin|vriend|baas|collega|tante|oom)`,
  String.raw`(?:mon|ma|notre|son|sa) (?:\p{Ll}+ )?(?:fils|fille|mari|femme|frère|sœur|mère|père|voisine|voisin|amie|ami|collègue|tante|oncle)`,
  String.raw`(?:mi|nuestr[oa]|su) (?:\p{Ll}+ )?(?:hij[oa]|marido|mujer|herman[oa]|madre|padre|vecin[oa]|amig[oa]|jef[ea]|ti[oa])`,
  String.raw`(?:mi[oa]|nostr[oa]|su[oa]) (?:\p{Ll}+ )?(?:figli[oa]|marito|moglie|fratello|sorella|madre|padre|vicin[oa]|amic[oa]|collega|zi[oa])`,
  `(?:hi|hello|hey|good morning|good afternoon|good evening),? I(?:[’']m| am)`,
  `(?:my name is|I am called|mein Name ist|ich heiße|mijn naam is|ik heet|je m[’']appelle|me llamo|mi chiamo)`,
].join('|')

/** Words that introduce a name, but also other things ("I am Dutch"). The words after them are hidden only beside a name that is hidden anyway. */
const BEFORE_OWN_NAMES = [
  `(?:I am|I[’']m|this is|ich bin|hier ist|ik ben|dit is|je suis|moi c[’']est|soy|sono|io sono)`,
  `(?:my name is|mein Name ist|ich heiße|mijn naam is|ik heet|je m[’']appelle|me llamo|mi chiamo)`,
].join('|')

const NAME = String.raw`\p{Lu}[\p{L}’'-]+`
const PARTICLES = '(?:(?:de|van|von|der|den|zu|di|da|la|le|ten|ter|el|al|bin) )*'
/** The words before a name keep their case, because names are recognised by theirs. */
const INTRODUCED = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(${withCapital(BEFORE_NAMES)}),? (${PARTICLES}${NAME}(?: ${PARTICLES}${NAME})?)`,
  'gu',
)

/** Also matches the pattern at the beginning of a sentence. */
function withCapital(pattern: string): string {
  return pattern.replace(
    /\(\?:([^()?]+)\)/g,
    (_, words: string) =>
      `(?:${words
        .split('|')
        .flatMap((word) => [word, word.charAt(0).toUpperCase() + word.slice(1)])
        .join('|')})`,
  )
}

/**
 * Hides e-mail addresses, telephone numbers and addresses, and names of people: those of all participants, and those that follow a form of
 * address, a relative or an introduction, with the surname after them. Other names cannot be told from places. A title that a host has chosen stays.
 */
export function redactNames(stored: StoredDocument): StoredDocument {
  const labels = labelsFor(stored.language)
  const { hiddenName } = labels
  const participants = stored.conversations.flatMap(
    ({ participant }) => participant?.match(/\p{L}[\p{L}’'-]+/gu) ?? [],
  )
  // The longest first, so that "Annemarie" is not hidden in part.
  const known = participants
    .filter((name) => /^\p{Lu}|^\P{Ll}/u.test(name) && name.length > 2)
    .toSorted((a, b) => b.length - a.length)
    .map(RegExp.escape)
  const own =
    known.length === 0
      ? null
      : new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${known.join('|')})(?![\p{L}\p{N}])`, 'gu')
  const hidden = RegExp.escape(hiddenName)
  const more = `${PARTICLES}${NAME}`
  const introducedWith = new RegExp(
    String.raw`(?<![\p{L}\p{N}])(${withCapital(BEFORE_OWN_NAMES)}) (?:${more} ){0,2}${hidden}(?: ${more}){0,2}`,
    'gu',
  )
  // German nouns are capitalised, too.
  const surnames = stored.language.startsWith('de') ? null : new RegExp(`${hidden}(?: ${more}){1,2}`, 'gu')
  const withSurnames = (text: string): string => {
    const whole = text.replace(introducedWith, `$1 ${hiddenName}`)
    return surnames ? whole.replace(surnames, hiddenName) : whole
  }
  const redact = (text: string): string => {
    const introduced = redactContacts(text, labels).replace(
      INTRODUCED,
      (_, before: string) => `${before} ${hiddenName}`,
    )
    return own
      ? withSurnames(
          introduced.replace(own, hiddenName).replaceAll(`${hiddenName} ${hiddenName}`, hiddenName),
        )
      : introduced
  }
  const redactSource = (position: Position): Position =>
    position.text === undefined ? position : { ...position, text: redact(position.text) }
  return {
    ...stored,
    title: stored.own_title ? stored.title : redact(stored.title),
    introduction: redact(stored.introduction),
    sections: stored.sections.map((section) => ({
      ...section,
      heading: section.heading && redact(section.heading),
      paragraphs: section.paragraphs.map((one) =>
        'erased' in one ? one : { ...one, text: redact(one.text), sources: one.sources.map(redactSource) },
      ),
      quotations: section.quotations.map((one) =>
        'erased' in one ? one : { text: redact(one.text), source: redactSource(one.source) },
      ),
    })),
  }
}
