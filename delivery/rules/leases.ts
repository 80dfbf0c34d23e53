/** SQL over `o`, a row of `dispatchers`: it lives, so no other one sends the deliveries of the queues that it owns. */
export const IS_ALIVE = 'o.lease_until > now()'

/** SQL over `q`, a row of `endpoint_queues`: no living dispatcher owns the queue, so the dispatcher `:dispatcherId` can lease it. */
export const CAN_LEASE = `(
  q.owner is null
  or (q.owner <> :dispatcherId and not exists (select from dispatchers o where o.id = q.owner and ${IS_ALIVE}))
)`
