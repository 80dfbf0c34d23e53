import type { Emit } from '../../../server/webhooks/index.ts'
import { seededRandom } from '../framework/random.ts'

/** A change of state, its event, and the fate of its transaction. */
export interface Item {
  key: string
  projectId: string
  event: Parameters<Emit>[1]
  isRolledBack: boolean
  isRepeated: boolean
  holdMs: number
}

const MAX_HOLD_MS = 500
/** Stands in every transcript, so that a log that quotes one is found. */
export const CANARY = 'canary of spoken words'
const TIME = '2026-01-02T03:04:05.678Z'

export const EVENT_TYPES = [
  'conversation.started',
  'conversation.transcribed',
  'conversation.summarized',
  'report.generated',
] as const

const newConversation = (id: string, revision: number, index: number) => ({
  id,
  revision,
  status: 'done' as const,
  source: 'portal_audio' as const,
  language: 'nl',
  participant_name: 'Zoë',
  tags: ['tafel 4'],
  started_at: TIME,
  finished_at: TIME,
  duration_seconds: index % 3600,
  title: `Gesprek ${index} “é 漢 😀”`,
  transcript: `${CANARY} `.repeat(1 + (index % 40)),
  summary: CANARY,
})

/** Four items are the three events of one conversation, and one of a report. */
export function itemAt(seed: string, projects: readonly string[], index: number): Item {
  const group = seededRandom(`${seed}/group ${Math.floor(index / 4)}`)
  const projectId = group.pick(projects)
  const [conversationId, revision, reportId] = [group.uuid(), group.integer(1, 3), group.uuid()]
  const own = seededRandom(`${seed}/item ${index}`)
  const fate = {
    projectId,
    isRolledBack: own.chance(0.05),
    isRepeated: own.chance(0.05),
    holdMs: own.chance(0.1) ? own.integer(0, MAX_HOLD_MS) : 0,
  }
  const type = EVENT_TYPES[index % EVENT_TYPES.length] ?? 'report.generated'
  if (type === 'report.generated') {
    const report = {
      id: reportId,
      title: `Report ${index}`,
      language: 'nl',
      status: 'ready' as const,
      created_at: TIME,
      conversation_count: index,
    }
    return { ...fate, key: `${type}/${reportId}`, event: { type, projectId, report } }
  }
  const conversation = newConversation(conversationId, revision, index)
  return { ...fate, key: `${type}/${conversationId}`, event: { type, projectId, conversation } }
}
