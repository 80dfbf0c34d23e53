import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createExtractiveSummarizer } from '../../server/summaries/engines/extractive/summarizer.ts'
import { measureMixed } from './mixed.ts'
import { bCubed, pairwise } from './scores.ts'
import { measureStances } from './stances.ts'
import { readStatements } from './statements.ts'
import { measureSummaries } from './summaries.ts'
import { TAGGINGS } from './tags.ts'
import { measureThemes } from './themes.ts'

const summarizer = createExtractiveSummarizer()
const sets = await readStatements()

for (const half of ['tune', 'held'] as const) {
  const chosen = sets.filter((set) => set.half === half && set.author === 'first')

  test(`titles are sentences and summaries contain the concern, on the ${half} half`, async () => {
    const { titles, summaries } = await measureSummaries(summarizer, chosen, () => {})
    assert.ok(titles.share >= 0.97, JSON.stringify(titles))
    assert.ok(summaries.share >= 0.9, JSON.stringify(summaries))
  })

  test(`themes are subjects and everyone is counted, on the ${half} half`, async () => {
    const themes = await measureThemes(summarizer, chosen, () => {})
    assert.ok(themes.f1 >= 0.7, JSON.stringify(themes))
    assert.equal(themes.people_who_appear, themes.people)
  })

  for (const [tags, tagging] of Object.entries(TAGGINGS))
    test(`themes are subjects where hosts have tagged ${tags}, on the ${half} half`, async () => {
      const { f1 } = await measureThemes(summarizer, chosen, () => {}, tagging)
      assert.ok(f1 >= 0.84, `${f1}`)
    })

  test(`statements of several languages about a subject are one theme, on the ${half} half`, async () => {
    for (const [topic, { f1, precision }] of Object.entries(await measureMixed(summarizer, chosen)))
      assert.ok(f1 >= 0.7 && precision >= 0.85, JSON.stringify({ topic, f1, precision }))
  })

  test(`people are for or against a subject as they say, on the ${half} half`, async () => {
    const stances = await measureStances(half, () => {})
    assert.ok(stances.share >= 0.9, JSON.stringify(stances))
  })

  test(`a person who wants a subject to be better takes no side, on the ${half} half`, async () => {
    const improvements = await measureStances(half, () => {}, 'improvements')
    assert.ok(improvements.share >= 0.9, JSON.stringify(improvements))
  })
}

for (const half of ['tune', 'held'] as const)
  test(`summaries of another author's statements contain the concern, on the ${half} half`, async () => {
    const chosen = sets.filter((set) => set.half === half && set.author === 'other')
    const { titles, summaries } = await measureSummaries(summarizer, chosen, () => {})
    assert.ok(titles.share >= 0.9, JSON.stringify(titles))
    assert.ok(summaries.share >= 0.9, JSON.stringify(summaries))
  })

test('themes of other authors are subjects', async () => {
  const chosen = sets.filter(({ author }) => author !== 'first')
  const themes = await measureThemes(summarizer, chosen, () => {})
  assert.ok(themes.f1 >= 0.7, JSON.stringify(themes))
  assert.equal(themes.people_who_appear, themes.people)
})

test('the measures are 1 for the right division, and lower for others', () => {
  const gold = ['a', 'a', 'b', 'b'].map((subject) => new Set([subject]))
  const divisions: [string[][], pairs: number, cubed: number][] = [
    [[['x'], ['x'], ['y'], ['y']], 1, 1],
    [[['x'], ['x'], ['x'], ['x']], 0.5, 2 / 3],
    [[['x'], ['x'], ['y'], ['z']], 2 / 3, 6 / 7],
    [[['x'], ['y'], ['z'], ['w']], 0, 2 / 3],
  ]
  for (const [themes, pairs, cubed] of divisions) {
    const found = themes.map((names) => new Set(names))
    assert.ok(Math.abs(pairwise(found, gold).f1 - pairs) < 1e-9, `${pairwise(found, gold).f1}`)
    assert.ok(Math.abs(bCubed(found, gold).f1 - cubed) < 1e-9, `${bCubed(found, gold).f1}`)
  }
})
