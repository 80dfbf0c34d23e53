import assert from 'node:assert/strict'
import { test } from 'node:test'
import { themesByCount } from './themes-by-count.ts'

const section = (heading: string, all: number | null) => ({
  heading,
  voices: all === null ? null : { all, for: 0, against: 0 },
})

test('orders themes by their number of people, with the statements without a theme at the end', () => {
  const sections = [
    section('Crane', 3),
    section('Market', 7),
    section('Ours', null),
    section('Quay', 3),
    section('', 9),
  ]
  const headings = themesByCount(sections).map(({ heading }) => heading)
  assert.deepEqual(headings, ['Market', 'Crane', 'Quay', ''])
})
