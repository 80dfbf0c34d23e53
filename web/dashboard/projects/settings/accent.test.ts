import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import * as server from '../../../../server/tenancy/projects/accent-color.ts'
import { accentColors, contrastWithWhite } from './accent.ts'

const color = fc
  .tuple(fc.nat(255), fc.nat(255), fc.nat(255))
  .map((rgb) => `#${rgb.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`)

test('the preview shows the colours that the server computes, and accepts the same ones', () => {
  fc.assert(
    fc.property(color, (fill) => {
      const isAccepted = server.accentProblem(fill) === null
      assert.deepEqual(accentColors(fill), isAccepted ? server.accentColors(fill) : null)
      assert.equal(contrastWithWhite(fill), server.contrast(fill, server.LIGHT_PAGE))
    }),
  )
  assert.deepEqual(accentColors('#B3261E'), server.accentColors('#b3261e'))
  for (const none of [null, '', '#fff', 'red', '#12345g']) assert.equal(accentColors(none), null)
})
