import { subjectOfTag } from './subjects/index.ts'
import { assign } from './themes.ts'
import { type Unit, type Vocabulary, wordsOf } from './units.ts'
import { chooseWords } from './words/choose-words.ts'
import { isFunctionWord } from './words/function-words.ts'
import { isGeneric } from './words/stems.ts'

/** A tag counts if at least this share of its conversations say it. Districts and rounds are mentioned by a few. */
const MIN_SAID = 1 / 2
/** If most conversations with a tag are about one theme, the tag is another word for it. */
const MIN_COHERENT = 2 / 3
/** At least this share of the theme's people must have the tag; otherwise a tag of a few would rename a theme of everyone. */
const MIN_TAGGED = 1 / 2
/** A tag of more conversations is that of the session or the district, whatever most of them are about. */
const MAX_SHARED = 2 / 3
/**
 * If no one says a tag that is a known subject, it does not count once more than a third of its conversations are about another theme.
 */
const MAX_ELSEWHERE = 1 / 3
const MIN_CONVERSATIONS = 2

/** The tags of a conversation that name a subject. */
export interface SubjectTags {
  /** Those that can name a theme: all of their words are about the subject. */
  namesOf(conversation: string): readonly string[]
  /** The words that count for the conversation, by their roots. */
  rootsOf(conversation: string): ReadonlySet<string>
}

/**
 * Hosts tag conversations with subjects, and with districts, tables and rounds. A tag names a subject if its conversations say it, if
 * they are about one theme that others seldom speak about, or if the word is a known subject and they are about no other theme.
 */
export function subjectTagsOf(
  units: readonly Unit[],
  vocabulary: Pick<Vocabulary, 'rootOf' | 'join'>,
  tagsOf: (conversation: string) => readonly string[],
): SubjectTags {
  const conversations = taggedConversationsOf(units, vocabulary, tagsOf)
  const people = new Map<string, TaggedConversation[]>()
  for (const one of conversations.values())
    for (const { id } of one.tags) people.set(id, [...(people.get(id) ?? []), one])
  const isSaid = (root: string) => conversations.values().some(({ said }) => said.has(root))
  const accepted = new Map<string, ReadonlySet<string>>()
  for (const { tags } of conversations.values())
    for (const { id, words } of tags)
      if (!accepted.has(id)) accepted.set(id, subjectsIn(words, people.get(id) ?? [], conversations, isSaid))
  const own = (conversation: string) => conversations.get(conversation)?.tags ?? []
  return {
    namesOf: (conversation) =>
      own(conversation)
        .filter(({ id, words }) => words.length > 0 && words.every(({ root }) => accepted.get(id)?.has(root)))
        .map(({ text }) => text),
    rootsOf: (conversation) =>
      new Set(
        own(conversation).flatMap(({ id, words }) =>
          words
            .filter(({ root, key }) => LETTERS.test(key) && accepted.get(id)?.has(root))
            .map(({ root }) => root),
        ),
      ),
  }
}

/** A number does not name a subject. */
const LETTERS = /\p{L}/u

interface Tag {
  text: string
  id: string
  words: readonly { key: string; root: string; isLabel: boolean }[]
}

/** A conversation: its tags, the words that it says, and the themes that it is about without its tags. */
interface TaggedConversation {
  tags: readonly Tag[]
  said: ReadonlySet<string>
  themes: ReadonlySet<string>
}

function taggedConversationsOf(
  units: readonly Unit[],
  { rootOf, join }: Pick<Vocabulary, 'rootOf' | 'join'>,
  tagsOf: (conversation: string) => readonly string[],
): Map<string, TaggedConversation> {
  const chosen = chooseWords(units, () => 1)
  const themes = assign(units, chosen)
  const spoken = new Set(units.flatMap(({ passages }) => passages.flatMap(({ keys }) => keys)))
  const members = Map.groupBy(
    units.map((unit, at) => ({ unit, theme: chosen[themes[at] ?? -1] })),
    ({ unit }) => unit.conversation,
  )
  return new Map(
    [...members].map(([conversation, parts]) => {
      const locale = parts[0]?.unit.passages[0]?.locale ?? 'en'
      const tags = tagsOf(conversation).map((text): Tag => {
        const keys = join(wordsOf(text), locale).filter(
          (key) => !isGeneric(key, locale) && !isFunctionWord(key, locale),
        )
        // "Ronde 2" is a round of a session, although its stem is that of "rondje", a walk.
        const isNumbered = keys.some((key) => !LETTERS.test(key))
        const words = keys.map((key) => {
          const isLabel = isNumbered && !spoken.has(key) && subjectOfTag(key) === undefined
          return { key, root: rootOf(key, locale, 'tag'), isLabel }
        })
        return { text, id: words.map(({ root }) => root).join(' '), words }
      })
      const said = new Set(parts.flatMap(({ unit }) => [...unit.roots.keys()]))
      return [conversation, { tags, said, themes: new Set(parts.flatMap(({ theme }) => theme ?? [])) }]
    }),
  )
}

/** The words of a tag that name what the people with it speak about. */
function subjectsIn(
  words: Tag['words'],
  people: readonly TaggedConversation[],
  conversations: ReadonlyMap<string, TaggedConversation>,
  isSaid: (root: string) => boolean,
): Set<string> {
  const isShared = coheres(people, [...conversations.values()])
  const isSubject = ({ key, root }: Tag['words'][number]) => {
    const silent = people.filter(({ said }) => !said.has(root))
    if (people.length - silent.length >= MIN_SAID * people.length) return true
    const elsewhere = silent.filter(({ themes }) => themes.size > 0)
    return (
      (isSaid(root) || subjectOfTag(key) !== undefined) && elsewhere.length <= MAX_ELSEWHERE * people.length
    )
  }
  return new Set(
    words.filter((word) => !word.isLabel && (isShared || isSubject(word))).map(({ root }) => root),
  )
}

/** Whether most people with a tag are about one theme, and most people of this theme have the tag. */
function coheres(people: readonly TaggedConversation[], all: readonly TaggedConversation[]): boolean {
  if (people.length > MAX_SHARED * all.length) return false
  const themes = new Set(people.flatMap((one) => [...one.themes]))
  return themes.values().some((theme) => {
    const inTheme = (one: TaggedConversation) => one.themes.has(theme)
    const shared = people.filter(inTheme).length
    return (
      shared >= Math.max(MIN_CONVERSATIONS, MIN_COHERENT * people.length) &&
      shared >= MIN_TAGGED * all.filter(inTheme).length
    )
  })
}
