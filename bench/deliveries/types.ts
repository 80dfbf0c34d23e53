/** The options that run.ts passes to the process of a contender. */
export interface ContenderOptions {
  /** One address for each webhook. */
  addresses: string[]
  /** An empty database on the shared server, which runs with fsync and synchronous_commit. */
  databaseUrl: string
  redisPort: number
  /** Whether to use the settings that its documentation recommends for speed, instead of the defaults. */
  tuned: boolean
}

/** A way to send posts, in a separate process: bare.ts, ours.ts, graphile.ts, bullmq.ts. */
export interface Contender {
  /** Stores `count` posts of 1 KiB, spread evenly over the webhooks and ready to be sent. Never measured. */
  seed(count: number): Promise<void>
  /**
   * Sends the seeded posts, then stops everything, because the next contender runs afterwards.
   * @param inFlight the concurrency, for contenders that let the caller choose it; run.ts finds the fastest
   * @returns the milliseconds until all `count` posts have a response and their results are stored
   */
  run(count: number, inFlight: number): Promise<number>
}

/** When one event was committed, by `now` of children.ts. */
export interface Commit {
  /** The id of the delivery, which the receiver reads from `x-service-delivery` or else from `webhook-id`. */
  id: string
  /** Just before COMMIT was sent. */
  sent: number
  /** When COMMIT returned. */
  committed: number
}

/**
 * The functions of ours.ts. Its process migrates the database and creates a webhook for each of `addresses`, unless they exist:
 * memory.ts starts it twice on one database.
 */
export interface Ours extends Contender {
  /**
   * As for every contender. memory.ts also calls it while another process delivers.
   * @param webhooks a range of webhooks, `to` excluded; by default all
   */
  seed(count: number, webhooks?: [from: number, to: number]): Promise<void>
  /** Sends all deliveries that are due, until `stop`. */
  start(): Promise<void>
  /** Resolves when no request is in flight; requests that hang are aborted. */
  stop(): Promise<void>
  /** Attempts since the start. */
  attempted(): Promise<number>
  /** Whether a delivery of the last day is not finished. */
  anyPending(): Promise<boolean>
  /** Publishes an event for one webhook in a transaction, as the service does. */
  publish(webhook: number): Promise<Commit>
  /** One event after another, in turn for each webhook. */
  publishAll(events: number): Promise<void>
  /** Stores `count` deliveries that succeeded long ago, with their attempts and bodies, spread over the webhooks. */
  seedFinished(count: number): Promise<void>
}
