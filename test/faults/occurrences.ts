import type { Emit } from '../../server/webhooks/index.ts'
import { seeded } from './random.ts'

/** A change of state, what is told of it, and what happens to its transaction. */
export interface Item {
  key: string
  projectId: string
  domainEvent: Parameters<Emit>[1]
  isUndone: boolean
  isRepeated: boolean
  holdMs: number
}

const LONGEST_HOLD_MS = 500
/** What people said must not be in any log. */
export const CANARY = 'canary of spoken words'

const TYPES = [
  'conversation.started',
  'conversation.transcribed',
  'conversation.summarized',
  'report.generated',
] as const

const MOMENT = '2026-01-02T03:04:05.678Z'

const conversationOf = (id: string, revision: number, index: number) => ({
  id,
  revision,
  status: 'done' as const,
  source: 'portal_audio' as const,
  language: 'nl',
  participant_name: 'Zoë',
  tags: ['tafel 4'],
  started_at: MOMENT,
  finished_at: MOMENT,
  duration_seconds: index % 3600,
  title: `Gesprek ${index} “é 漢 😀”`,
  transcript: `${CANARY} `.repeat(1 + (index % 40)),
  summary: CANARY,
})

const reportOf = (id: string, index: number) => ({
  id,
  title: `Report ${index}`,
  language: 'nl',
  status: 'ready' as const,
  created_at: MOMENT,
  conversation_count: index,
})

/** Four items are one conversation with its three events, and a report. */
export function itemOf(seed: string, projects: readonly string[], index: number): Item {
  const group = seeded(`${seed}/group ${Math.floor(index / 4)}`)
  const projectId = group.pick(projects)
  const conversationId = group.uuid()
  const revision = group.whole(1, 3)
  const reportId = group.uuid()
  const own = seeded(`${seed}/item ${index}`)
  const fate = {
    projectId,
    isUndone: own.happens(0.05),
    isRepeated: own.happens(0.05),
    holdMs: own.happens(0.1) ? own.whole(0, LONGEST_HOLD_MS) : 0,
  }
  const type = TYPES[index % TYPES.length] ?? 'report.generated'
  if (type === 'report.generated')
    return {
      ...fate,
      key: `${type}/${reportId}`,
      domainEvent: { type, projectId, report: reportOf(reportId, index) },
    }
  const conversation = conversationOf(conversationId, revision, index)
  return { ...fate, key: `${type}/${conversationId}`, domainEvent: { type, projectId, conversation } }
}
