import type { ReportDraft } from '../../summaries/index.ts'
import type { CollectedSources } from '../generation/collect-sources.ts'
import { labelsFor } from '../render/labels.ts'
import { participantNames } from '../render/participant-names.ts'

/**
 * A model knows conversations by number ("#3") and writes these numbers in its sentences. They become the names that the report uses
 * for the people. A number that a person said ("bus #3") stays.
 */
export function nameParticipants(
  draft: ReportDraft,
  { conversations, sources }: CollectedSources,
  language: string,
): ReportDraft {
  if (draft.method !== 'generative') return draft
  const labels = labelsFor(language)
  const people = conversations.map(({ participant_name: participant }) => ({ participant }))
  const names = new Map(participantNames(people, labels).map(({ number, name }) => [`#${number}`, name]))
  const said = new Map(
    sources.flatMap(({ utterances }) => utterances.map(({ id, text }) => [id, text] as const)),
  )
  const conversation = new RegExp(
    String.raw`(?<![\p{L}\p{N}])((?:${labels.conversation}|${labels.conversations})\p{Ll}{0,2}) (${LIST})`,
    'giu',
  )
  const named = (text: string, utterances: Iterable<string>): string => {
    const own = new Set(Array.from(utterances, (id) => said.get(id)?.match(NUMBERS) ?? []).flat())
    const name = (number: string) => (own.has(number) ? number : (names.get(number) ?? number))
    return text.replace(conversation, '$1 ($2)').replace(NUMBERS, name)
  }
  return {
    ...draft,
    title: named(draft.title, said.keys()),
    introduction: named(draft.introduction, said.keys()),
    sections: draft.sections.map((section) => ({
      ...section,
      heading: named(
        section.heading,
        section.paragraphs.flatMap(({ utterances }) => utterances),
      ),
      paragraphs: section.paragraphs.map((one) => ({ ...one, text: named(one.text, one.utterances) })),
    })),
  }
}

const NUMBERS = /#\d+/g
/** "#3", "#3, #5 and #8". */
const LIST = String.raw`#\d+(?:(?:, (?:\p{L}{1,3} )?| \p{L}{1,3} )#\d+)*`
