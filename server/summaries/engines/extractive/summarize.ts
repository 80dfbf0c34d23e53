import { promptsFor } from '../../prompts/index.ts'
import { EXTRACTIVE, type SummarizeRequest, type Summary } from '../../summarizer.ts'
import { keywordsOf } from './keywords.ts'
import { readPassages } from './passages.ts'
import { selectPassages } from './select.ts'
import { titleOf } from './title.ts'

const MAX_POINTS = 8
const MAX_TAGS = 8

/** Selects key sentences of one conversation. */
export async function summarizeByExtract({
  language,
  utterances,
  signal,
}: SummarizeRequest): Promise<Summary> {
  const passages = await readPassages(utterances, language, signal)
  const keywords = keywordsOf(passages, MAX_TAGS)
  const picked = await selectPassages(passages, pointsFor(passages.length), signal)
  return {
    ...EXTRACTIVE,
    title: titleOf(keywords, passages) ?? promptsFor(language).nothingSaid,
    points: picked.map(({ text, utterance }) => ({ text, utterances: [utterance] })),
    tags: keywords.map(({ tag }) => tag),
  }
}

/** One point for a few sentences, 4 for 16, 8 for 64 and more. */
const pointsFor = (sentences: number): number => Math.min(MAX_POINTS, Math.round(Math.sqrt(sentences)))
