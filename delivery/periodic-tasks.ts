/** Tasks that a worker runs at intervals (server/background/schedule.ts). */
export { maintainPartitions } from './log/partitions.ts'
export { runReplays } from './replays/run-replays.ts'
export { endUnsendableDeliveries } from './statements/end-deliveries.ts'
export { deleteDeadDispatchers } from './statements/lease-queues.ts'
