export interface Turn<T> {
  /** It is told when all that this turn of the event loop brought was read. */
  end(waiting: T): void
}

/** One immediate for all: under load hundreds end in a turn. */
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
