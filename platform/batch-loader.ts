/** Answers all these questions at once; what it leaves out is not there. */
type LoadAll<K, V> = (questions: K[]) => Promise<Map<K, V>>

/**
 * Many questions at the cost of one: those of one turn of the event loop are asked together. The busier the process, the more
 * there are in a turn; a lone one waits for nobody. Nothing is remembered: whoever asks gets what is true after they asked.
 */
export function createBatchLoader<K, V>(answerAll: LoadAll<K, V>): (question: K) => Promise<V | undefined> {
  let gathering: { questions: Set<K>; answers: Promise<Map<K, V>> } | null = null

  function begin() {
    const questions = new Set<K>()
    const { promise, resolve } = Promise.withResolvers<Map<K, V>>()
    setImmediate(() => {
      gathering = null
      resolve(Promise.try(answerAll, [...questions]))
    })
    return { questions, answers: promise }
  }

  return async (question) => {
    gathering ??= begin()
    gathering.questions.add(question)
    return (await gathering.answers).get(question)
  }
}
