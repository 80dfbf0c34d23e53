import { replays } from '../../../delivery/index.ts'
import { Problem } from '../../api/problems.ts'
import type { ChangeContext } from '../../api/route-spec.ts'
import type { ProjectTarget } from '../../auth/index.ts'
import { auditChange } from '../access.ts'

/** Cancels the pending deliveries too. */
export async function cancelReplay(context: ChangeContext<ProjectTarget>, replayId: string): Promise<void> {
  const before = await replays.cancelReplay(context.tx, replayId)
  if (!before) throw new Problem('not_found')
  if (before.state === 'done') throw new Problem('replay_finished')
  if (before.state === 'cancelled') return
  const details = { webhook_id: before.webhook_id }
  await auditChange(context, 'replay.cancelled', { kind: 'replay', id: replayId }, details)
}
