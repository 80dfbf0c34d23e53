import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { createFairShare, type FairShare } from './fair-share.ts'

let time = 0
let share: FairShare
beforeEach(() => {
  time = 0
  share = createFairShare(() => time)
})

const tenant = (organisationId: string, workspaceId: string, projectId: string) => ({
  organisationId,
  workspaceId,
  projectId,
})
const times = (count: number, act: (n: number) => void) => {
  for (let n = 0; n < count; n++) act(n)
}

test('each job of a project runs after the earlier ones', () => {
  const positions: number[] = []
  times(4, () => positions.push(share.next(tenant('o', 'w', 'p'))))
  assert.deepEqual(positions, [0, 1, 2, 3])
})

test('a new project of a busy workspace runs after one job of its neighbour', () => {
  times(100, () => share.next(tenant('o', 'w', 'busy')))
  assert.equal(share.next(tenant('o', 'w', 'new')), 1)
  assert.equal(share.next(tenant('o', 'w', 'new')), 3)
})

test('many projects or workspaces gain nothing over one', () => {
  times(100, (n) => share.next(tenant('projects', 'w', `p${n}`)))
  times(100, (n) => share.next(tenant('workspaces', `w${n}`, `p${n}`)))
  assert.equal(share.next(tenant('projects', 'w', 'next')), 100)
  assert.equal(share.next(tenant('workspaces', 'next', 'next')), 100)
  assert.equal(share.next(tenant('another', 'w', 'p')), 0)
})

test('time counts like jobs', () => {
  share.charge(tenant('o', 'w', 'p'), 6)
  assert.equal(share.next(tenant('o', 'w', 'p')), 6)
})

test('a job counts half after a minute, and is forgotten in the end', () => {
  share.charge(tenant('o', 'w', 'p'), 8)
  time = 60_000
  assert.equal(share.next(tenant('o', 'w', 'p')), 4)
  time = 3_600_000
  assert.equal(share.next(tenant('o', 'w', 'p')), 0)
})
