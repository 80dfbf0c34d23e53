import { promptsFor } from '../../prompts/index.ts'
import { EXTRACTIVE, type SummarizeRequest, type Summarizer, type Summary } from '../../summarizer.ts'
import { markerOf } from '../../unclear-words.ts'
import { leadWithSubject } from './lead.ts'
import { asClaim, readPassages } from './passages.ts'
import { reportByExtract } from './report.ts'
import { clearFirst, isClear, selectPoints } from './select.ts'
import { titleOf } from './titles/title.ts'
import { keywordsOf } from './words/keywords.ts'

const MAX_POINTS = 8
const MAX_TAGS = 8
/** A short statement can have several concerns, and each of them counts. */
const MAX_CONCERNS_OF_SHORT = 3

/** Selects sentences of the transcript. Needs no model, network or key, and its results are reproducible. */
export const createExtractiveSummarizer = (): Summarizer => ({
  capabilities: { name: 'extractive' },
  summarize: summarizeByExtract,
  report: reportByExtract,
  close: async () => {},
})

/** Selects key sentences of one conversation. */
export async function summarizeByExtract(request: SummarizeRequest): Promise<Summary> {
  const { language, utterances, signal } = request
  const passages = await readPassages(utterances, language, signal)
  const keywords = keywordsOf(passages, MAX_TAGS)
  // One point for a few sentences, 4 for 16, 8 for 64 and more.
  const count = Math.max(
    Math.min(MAX_POINTS, Math.round(Math.sqrt(passages.length))),
    Math.min(MAX_CONCERNS_OF_SHORT, passages.filter(isClear).length),
  )
  const selected = await clearFirst(await selectPoints(passages, count, signal), passages, signal)
  const points = leadWithSubject(selected, passages)
  const first = passages.find(({ keys }) => keys.length > 0) ?? passages[0]
  return {
    ...EXTRACTIVE,
    title:
      titleOf(points.length > 0 ? points : first ? [first] : [], passages) ??
      promptsFor(language).nothingSaid,
    points: points.map(asClaim).map(markerOf(utterances)),
    tags: keywords.map(({ tag }) => tag),
  }
}
