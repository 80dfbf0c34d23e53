/** Messages, and the memory that goes over with them. */
type Post<T> = (messages: T[], memory: ArrayBuffer[]) => void

/**
 * Messages between threads, those of one turn of the event loop as one. Each by itself cost 10 µs on either side, and wakes the
 * other one up.
 */
export function batchMessages<T>(post: Post<T>): (message: T, memory?: ArrayBuffer[]) => void {
  let messages: T[] = []
  let memory: ArrayBuffer[] = []
  const postAll = () => {
    const [all, allMemory] = [messages, memory]
    messages = []
    memory = []
    post(all, allMemory)
  }
  return (message, ofIt = []) => {
    if (messages.push(message) === 1) setImmediate(postAll)
    memory.push(...ofIt)
  }
}
