import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Histogram, type Metric, Registry } from 'prom-client'
import fc from '../test/support/properties.ts'
import { PlainHistogram } from './plain-histogram.ts'

test('it shows the very text that prom-client’s own histogram shows', async () => {
  const buckets = [0.01, 0.5, 1, 30]
  const values = fc.array(fc.double({ min: 0, max: 100, noNaN: true }))
  await fc.assert(
    fc.asyncProperty(values, async (observed) => {
      const [ours, theirs] = [new Registry(), new Registry()]
      const plain = new PlainHistogram('a_seconds', 'Times', buckets)
      ours.registerMetric(plain as unknown as Metric)
      const known = new Histogram({ name: 'a_seconds', help: 'Times', buckets, registers: [theirs] })
      for (const value of [...observed, ...buckets]) {
        plain.observe(value)
        known.observe(value)
      }
      assert.equal(await ours.metrics(), await theirs.metrics())
    }),
  )
})
