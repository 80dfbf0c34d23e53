/**
 * This many consecutive failures open the breaker. Then one trial request is sent at a time: the first after 30 seconds, each later
 * one after twice the wait, at most 10 minutes.
 */
export const FAILURES_TO_OPEN = 5
const FIRST_TRIAL_SECONDS = 30
const MAX_TRIAL_SECONDS = 600

/** SQL that applies a batch of results to a queue: `q` is the row of `endpoint_queues`, `r` the combined results (`QueueResults`). */
const CONSECUTIVE_FAILURES =
  'case when r.succeeded then r.failures_at_end else q.consecutive_failures + r.failures_at_end end'
const FAILED_TRIALS = `case
  when r.succeeded then 0
  when r.failed_trial then least(q.failed_trials + 1, 10)
  else q.failed_trials
end`

export const SET_BREAKER = `
  consecutive_failures = ${CONSECUTIVE_FAILURES},
  failures_since_success =
    case when r.succeeded then r.failures_at_end else q.failures_since_success + r.failures_at_end end,
  failing_since = case
    when r.succeeded then case when r.failures_at_end > 0 then now() end
    when r.failures_at_end > 0 then coalesce(q.failing_since, now())
    else q.failing_since
  end,
  failed_trials = ${FAILED_TRIALS},
  trial_at = case
    when ${CONSECUTIVE_FAILURES} < ${FAILURES_TO_OPEN} then null
    when q.trial_at is null or r.failed_trial then now() + interval '1 second'
      * least(${MAX_TRIAL_SECONDS}, ${FIRST_TRIAL_SECONDS} * 2 ^ (${FAILED_TRIALS}))
    else q.trial_at
  end`

export const CLOSE_BREAKER =
  'consecutive_failures = 0, failures_since_success = 0, failing_since = null, failed_trials = 0, trial_at = null'
