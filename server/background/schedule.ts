import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { deleteInBatches } from '../../database/delete-in-batches.ts'
import { periodicTasks } from '../../delivery/index.ts'
import { removeAbandonedTempDirectories } from '../../platform/temp-directory.ts'
import type { FileStore } from '../../storage/file-store.ts'
import { IDEMPOTENCY_HOURS } from '../api/idempotency.ts'
import {
  reapplyErasures,
  removeErasedFiles,
  removeRecentlyErasedFiles,
} from '../conversations/erasure/journal.ts'
import { recoverStalledErasures, sweepConversations } from '../conversations/erasure/sweep.ts'
import { finishIdleConversations } from '../conversations/lifecycle/finish-idle-conversations.ts'
import { recoverStalledAudio, recoverStalledSteps } from '../conversations/lifecycle/recover-stalled.ts'
import { createReindexing } from '../conversations/search/reindex.ts'
import { sweepUploads } from '../conversations/uploads/sweep-uploads.ts'
import { recoverStalledReports } from '../reports/generation/recover-stalled-reports.ts'
import { recoverStalledPasses } from '../transcription/index.ts'
import { tiersWithWebhooks } from '../webhooks/access.ts'
import type { Emit } from '../webhooks/events/emit.ts'
import { eraseDeletedProjects } from '../webhooks/events/erase-payloads.ts'
import type { JobQueue } from './jobs.ts'
import type { PeriodicTask } from './periodic-task.ts'

export interface ScheduleParts {
  database: Database
  files: FileStore
  jobs: JobQueue
  emit: Emit
  tierGates: boolean
  /** How long events, deliveries and attempts are kept. */
  logDays: number
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const OLD_KEYS = sql`created_at < now() - make_interval(hours => ${IDEMPOTENCY_HOURS})`

/**
 * Every periodic task of a worker. Several workers can run them in parallel: each row is locked or deleted by one of them.
 * Two schedules are elsewhere: pg-boss maintains its own tables, and the identity store deletes expired sessions (identity/start.ts).
 */
export const schedule = {
  webhooks: ({ database, tierGates }: ScheduleParts): PeriodicTask[] => [
    {
      name: 'replays',
      everyMs: SECOND / 2,
      does: 'Turns requested replays into deliveries, a batch at a time.',
      changes: 'replays, deliveries',
      run: () => periodicTasks.runReplays(database.db, tiersWithWebhooks(tierGates)),
    },
    {
      name: 'disabled-webhooks',
      everyMs: 10 * SECOND,
      does: 'Ends the pending deliveries of webhooks that are disabled, deleted or outside of their tier.',
      changes: 'deliveries',
      run: async () =>
        (await periodicTasks.endUnsendableDeliveries(database.db, tiersWithWebhooks(tierGates))) > 0,
    },
    {
      name: 'dead-dispatchers',
      everyMs: 10 * SECOND,
      does: 'Deletes dispatchers whose lease ended more than a day ago.',
      changes: 'dispatchers',
      run: () => periodicTasks.deleteDeadDispatchers(database),
    },
    {
      name: 'webhooks-of-deleted-projects',
      everyMs: 10 * SECOND,
      does: 'Erases the secrets, event bodies and recorded responses of deleted projects.',
      changes: 'webhooks, events, attempts, projects',
      run: () => eraseDeletedProjects(database.db),
    },
  ],

  conversations: (parts: ScheduleParts): PeriodicTask[] => [
    {
      name: 'abandoned-conversations',
      everyMs: 10 * SECOND,
      does: 'Closes conversations with no activity for 15 minutes.',
      changes: 'conversations, events, deliveries',
      run: () => finishIdleConversations(parts, parts.database.db),
    },
    {
      name: 'retention',
      everyMs: 10 * SECOND,
      does: 'Deletes conversations past the retention period of their project, and those of deleted projects.',
      changes: 'conversations, consent_texts, projects, projects_to_empty, files/projects',
      run: () => sweepConversations(parts, parts.database.db, parts.files),
    },
    {
      name: 'erasures-after-restore',
      everyMs: 10 * SECOND,
      once: true,
      does: 'Re-erases conversations that a restored database backup brought back.',
      changes: 'conversations',
      warning: 'The database contained erased conversations; erasing them again',
      run: () => reapplyErasures(parts, parts.database.db, parts.files),
    },
    {
      name: 'erased-files-after-restore',
      everyMs: HOUR,
      once: true,
      does: 'Removes recordings of erased conversations that a restored file backup brought back.',
      changes: 'files/conversations, files/erasures',
      warning: 'The file store contained recordings of erased conversations; they were removed',
      run: (signal) => removeErasedFiles(parts.database.db, parts.files, signal),
    },
    {
      name: 'recently-erased-files',
      everyMs: HOUR,
      does: 'Removes files that a late chunk or an interrupted join left behind after an erasure.',
      changes: 'files/conversations',
      warning: 'Files of erased conversations were left behind; they were removed',
      run: (signal) => removeRecentlyErasedFiles(parts.database.db, parts.files, signal),
    },
    {
      name: 'stalled-erasures',
      everyMs: HOUR,
      does: 'Re-enqueues erasures whose job was lost.',
      changes: 'jobs',
      warning: 'Stalled erasures were enqueued again',
      run: () => recoverStalledErasures(parts.database.db, parts.jobs),
    },
    {
      name: 'stalled-conversations',
      everyMs: HOUR,
      does: 'Resumes conversations that are being processed and have no job.',
      changes: 'conversations, jobs',
      warning: 'Stalled conversations were resumed',
      run: () => recoverStalledSteps(parts, parts.database.db),
    },
    {
      name: 'unjoined-audio',
      everyMs: HOUR,
      does: 'Enqueues the join of audio that was never joined.',
      changes: 'conversations, jobs',
      warning: 'Recordings without a joined audio file were enqueued for joining',
      run: () => recoverStalledAudio(parts.jobs, parts.database.db),
    },
    {
      name: 'stalled-second-passes',
      everyMs: HOUR,
      does: 'Re-enqueues second passes whose job was lost.',
      changes: 'jobs',
      warning: 'Stalled second passes were enqueued again',
      run: () => recoverStalledPasses(parts.jobs, parts.database.db),
    },
    {
      name: 'stalled-reports',
      everyMs: HOUR,
      does: 'Restarts reports that have no job, and marks those that stalled twice as failed.',
      changes: 'reports, jobs',
      warning: 'Stalled reports were restarted or marked as failed',
      run: () => recoverStalledReports(parts.database.db, parts.jobs),
    },
    {
      name: 'search-index',
      everyMs: HOUR,
      does: 'Re-indexes transcripts that were tokenized by older rules.',
      changes: 'conversation_words',
      run: createReindexing(parts.database.db),
    },
  ],

  housekeeping: ({ database: { db }, files, logDays }: ScheduleParts): PeriodicTask[] => [
    {
      name: 'idempotency-keys',
      everyMs: 10 * MINUTE,
      does: `Deletes idempotency keys older than ${IDEMPOTENCY_HOURS} hours.`,
      changes: 'idempotency_keys',
      run: () => deleteInBatches(db, 'idempotency_keys', OLD_KEYS),
    },
    {
      name: 'idle-rate-limit-buckets',
      everyMs: MINUTE,
      does: 'Deletes shared rate-limit buckets that were not used for two minutes. They have refilled, so they carry no information.',
      changes: 'rate_limit_buckets',
      run: () => deleteInBatches(db, 'rate_limit_buckets', sql`refilled_at < now() - interval '2 minutes'`),
    },
    {
      name: 'invitations',
      everyMs: 10 * MINUTE,
      does: 'Deletes invitations that expired 7 days ago; until then, the sender sees that they expired.',
      changes: 'invitations',
      run: () =>
        deleteInBatches(db, 'invitations', sql`state = 'pending' and expires_at < now() - interval '7 days'`),
    },
    {
      name: 'partitions',
      everyMs: 10 * MINUTE,
      does: 'Creates the partitions of the coming days, and drops those older than DELIVERY_LOG_DAYS.',
      changes: 'events, deliveries, attempts',
      run: () => periodicTasks.maintainPartitions(db, logDays),
    },
    {
      name: 'uploads',
      everyMs: MINUTE,
      does: 'Removes uploads older than a day, and those of deleted conversations and projects.',
      changes: 'files/uploads',
      run: () => sweepUploads(db, files.uploads),
    },
    {
      name: 'abandoned-files',
      everyMs: HOUR,
      does: 'Removes partly stored files that a killed process left behind, after a day.',
      changes: 'files',
      run: () => files.removeAbandoned(),
    },
    {
      name: 'temp-directories',
      everyMs: HOUR,
      does: 'Removes temp directories that a killed process left behind.',
      changes: 'the temp directory of the system',
      run: () => removeAbandonedTempDirectories(),
    },
  ],
}
