/** A webhook without a success for this many days and with this many failures since is disabled as failing. */
const FAILING_DAYS = 5
const FAILING_FAILURES = 10

/** Whether the webhook is to be disabled, over an updated row of `endpoint_queues`. */
export const IS_FAILING = `failures_since_success >= ${FAILING_FAILURES}
  and failing_since < now() - interval '${FAILING_DAYS} days'`
