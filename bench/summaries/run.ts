import { createExtractiveSummarizer } from '../../server/summaries/engines/extractive/summarizer.ts'
import { rounded, saveFigures } from '../deliveries/figures.ts'
import { measureMixed } from './mixed.ts'
import { measureSpeed } from './speed.ts'
import { measureStances } from './stances.ts'
import { readStatements, type StatementSet } from './statements.ts'
import { measureSummaries } from './summaries.ts'
import { TAGGINGS } from './tags.ts'
import { measureThemes } from './themes.ts'

/**
 * `node bench/summaries/run.ts [--details]`: how well the embedded engine names, summarises and groups labelled statements in six languages.
 * `--details` prints the errors on the `tune` half; those on the `held` half are not printed.
 */
const details = process.argv.includes('--details')
const summarizer = createExtractiveSummarizer()
const sets = await readStatements()
const log = (line: string) => details && console.log(line)

/** The same themes, where hosts have tagged the conversations. */
async function measureTagged(chosen: readonly StatementSet[], print: (line: string) => void) {
  const scores: Record<string, object> = {}
  for (const [name, tagging] of Object.entries(TAGGINGS)) {
    const { f1, precision, recall, b_cubed_f1, named_subjects } = await measureThemes(
      summarizer,
      chosen,
      print,
      tagging,
    )
    scores[name] = { f1, precision, recall, b_cubed_f1, named_subjects }
  }
  return scores
}

/** Statements of other authors than the one of the rules. Their `tune` half was read afterwards. */
async function measureAuthor(author: StatementSet['author']) {
  const halves: Record<string, object> = {}
  for (const half of ['tune', 'held'] as const) {
    const chosen = sets.filter((set) => set.half === half && set.author === author)
    const { f1, precision, recall } = await measureThemes(summarizer, chosen, () => {})
    halves[half] = {
      ...(await measureSummaries(summarizer, chosen, half === 'tune' ? log : () => {})),
      themes: { f1, precision, recall },
    }
  }
  return halves
}

const figures: Record<string, object> = {
  other_author: await measureAuthor('other'),
  indirect: await measureAuthor('indirect'),
}
for (const half of ['tune', 'held'] as const) {
  const chosen = sets.filter((set) => set.half === half && set.author === 'first')
  const print = half === 'tune' ? log : () => {}
  figures[half] = {
    statements: chosen.reduce((sum, { statements }) => sum + statements.length, 0),
    ...(await measureSummaries(summarizer, chosen, print)),
    themes: await measureThemes(summarizer, chosen, print),
    tagged_themes: await measureTagged(chosen, print),
    mixed_languages: await measureMixed(summarizer, chosen),
    stances: await measureStances(half, print),
    improvements: await measureStances(half, print, 'improvements'),
  }
}
const figure = (_key: string, value: unknown) => (typeof value === 'number' ? rounded(value) : value)
const speed = await measureSpeed(summarizer, sets)
await saveFigures('summaries', JSON.parse(JSON.stringify({ ...figures, speed }, figure)) as object)
