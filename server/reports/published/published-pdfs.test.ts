import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleReport } from '../render/testing/sample.ts'
import { createPublishedPdfs } from './published-pdfs.ts'

test('renders one PDF at a time, and the same document once', async () => {
  let running = 0
  let most = 0
  const titles: string[] = []
  const pdfOf = createPublishedPdfs(async ({ title }) => {
    most = Math.max(most, ++running)
    await new Promise(setImmediate)
    running--
    titles.push(title)
    return Buffer.from(title)
  })
  const wanted = ['a', 'b', 'a', 'b', 'a']
  const pdfs = await Promise.all(wanted.map((title) => pdfOf(sampleReport({ title }))))
  assert.deepEqual(pdfs.map(String), wanted)
  assert.deepEqual([titles, most], [['a', 'b'], 1])
})

test('renders again after an error', async () => {
  let calls = 0
  const pdfOf = createPublishedPdfs(async () => {
    if (++calls === 1) throw new Error('no font')
    return Buffer.from('pdf')
  })
  await assert.rejects(pdfOf(sampleReport()), /no font/)
  assert.equal(String(await pdfOf(sampleReport())), 'pdf')
})
