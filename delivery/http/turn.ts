export type Turn<T> = { end(waiting: T): void }

/** Calls `endTurn` when all bytes of this turn of the event loop were read; one `setImmediate` for hundreds of requests. */
export function createTurn<T extends { endTurn(): void }>(): Turn<T> {
  let waiting: T[] = []
  function flush(): void {
    const ending = waiting
    waiting = []
    for (const each of ending) each.endTurn()
  }
  return {
    end(each) {
      if (waiting.push(each) === 1) setImmediate(flush)
    },
  }
}
