/** Ends the decoder process by a signal: Node's own exit can wait forever for a thread of V8 (nodejs/node#64274). */
export const endProcess = (): void => void process.kill(process.pid, 'SIGKILL')
