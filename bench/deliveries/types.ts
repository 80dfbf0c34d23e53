/** What run.ts gives to each contender's process. */
export interface ContenderOptions {
  /** One address for each webhook. */
  addresses: string[]
  /** An empty database, on the server that all share: fsync and synchronous_commit are on. */
  databaseUrl: string
  redisPort: number
  /** With the settings that its documentation names for speed; else as it comes. */
  tuned: boolean
}

/** A way to send posts, in a separate process: bare.ts, ours.ts, graphile.ts, bullmq.ts. */
export interface Contender {
  /** Stores `count` posts of 1 KiB, spread evenly over the webhooks and ready to be sent. Never measured. */
  seed(count: number): Promise<void>
  /**
   * Sends what was seeded, and leaves nothing running, since the next contender runs then.
   * @param inFlight the concurrency, where it can be chosen: run.ts finds the fastest
   * @returns the milliseconds from the start until all `count` posts were answered and that is stored
   */
  run(count: number, inFlight: number): Promise<number>
}

/** When one event was committed, by `now` of children.ts. */
export interface Commit {
  /** Of the one delivery: what the receiver finds in `x-service-delivery`, or in `webhook-id` where that is missing. */
  id: string
  /** Just before COMMIT was sent. */
  sent: number
  /** When COMMIT returned. */
  committed: number
}

/**
 * What ours.ts offers. When its process starts it migrates the database and creates a webhook for each of
 * `addresses`, unless they are there already: memory.ts starts it twice on one database.
 */
export interface Ours extends Contender {
  /**
   * As for every contender; further, memory.ts calls it while another process delivers.
   * @param webhooks the first of them, and the one after the last; by default all
   */
  seed(count: number, webhooks?: [from: number, to: number]): Promise<void>
  /** Starts to deliver what is due, until `stop`. */
  start(): Promise<void>
  /** Resolves when nothing is in flight any more; what hangs is cut off. */
  stop(): Promise<void>
  /** Commits one event that goes to one webhook, in a transaction, as the service does it. */
  publish(webhook: number): Promise<Commit>
  /** Stores `count` deliveries that succeeded long ago, with their attempts and bodies, spread over the webhooks. */
  seedFinished(count: number): Promise<void>
}
