/** SQL over `o`, a row of `dispatchers`: it lives, so no other one sends the deliveries of the queues that it owns. */
export const IS_ALIVE = 'o.lease_until > now()'

/**
 * SQL over `q`, a row of `endpoint_queues`: the dispatcher `:dispatcherId` can lease the queue. Either no living dispatcher owns it, or
 * this one owns it without knowing: it is not among the queues `:held`, because a connection broke when it was leased.
 */
export const CAN_LEASE = `(
  q.owner is null
  or (q.owner = :dispatcherId and q.webhook_id <> all(:held::uuid[]))
  or not exists (select from dispatchers o where o.id = q.owner and ${IS_ALIVE})
)`
