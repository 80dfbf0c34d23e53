import type { Cluster } from '../chaos/framework/cluster.ts'
import { itemAt } from '../chaos/webhooks/domain-events.ts'
import type { Producer } from '../chaos/webhooks/producer.ts'
import type { ConfirmedChunk } from './chunk-uploads.ts'

/** Something that the service or PostgreSQL had confirmed, and that is not in the database. */
export interface Loss {
  what: string
  /** When it was confirmed, in milliseconds since 1970. */
  confirmedAt: number
}

export async function findLosses(
  cluster: Pick<Cluster, 'query'>,
  producer: Producer,
  seed: string,
  projects: readonly string[],
  chunks: readonly ConfirmedChunk[],
): Promise<{ events: Loss[]; chunks: Loss[] }> {
  const ledger = await cluster.query<{ key: string }>('select key from chaos_ledger')
  const keys = new Set(ledger.map(({ key }) => key))
  const stored = await cluster.query<{ name: string }>(
    `select conversation_id || '/' || seq || '/' || encode(digest, 'hex') as name from chunks`,
  )
  const names = new Set(stored.map(({ name }) => name))
  return {
    events: [...producer.confirmedAt]
      .map(([index, confirmedAt]) => ({ what: itemAt(seed, projects, index).key, confirmedAt }))
      .filter(({ what }) => !keys.has(what)),
    chunks: chunks
      .map(({ conversationId, seq, digest, at }) => ({
        what: `${conversationId}/${seq}/${digest}`,
        confirmedAt: at,
      }))
      .filter(({ what }) => !names.has(what)),
  }
}
