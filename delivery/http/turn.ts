export type Turn<T> = { end(waiting: T): void }

/**
 * Calls `endTurn` after everything that arrived in this turn of the event loop was read. One `setImmediate` for all: under load,
 * hundreds of requests end in one turn.
 */
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
