/** Ranks within one priority, as pg-boss orders jobs by them: retries have the lowest, first attempts the others. */
const RANKS = 10

/** Of a worker's time, which count as much as one more job: about what a live chunk takes. */
export const SECONDS_PER_JOB = 5

/** The more recent jobs stand before it, the lower its rank: by one for each doubling. */
export const rankOf = (priority: number, position: number): number =>
  priority * RANKS + RANKS - 1 - Math.min(RANKS - 2, Math.floor(Math.log2(position + 1)))

/** Retries have it. */
export const lowestRank = (priority: number): number => priority * RANKS

export const priorityOf = (rank: number): number => Math.floor(rank / RANKS)
