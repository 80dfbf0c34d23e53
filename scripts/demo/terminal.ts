const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const BAR = 20
const FRAME_MS = 80

/** Called to update the progress bar of a step. */
type Progress = (done: number, total: number) => void

/** The output of the demo. */
export interface Terminal {
  line(text?: string): void
  /** Shows the step while it runs, then one line with its duration. `done` returns the text of that line; default: the title. */
  step<T>(title: string, work: (progress: Progress) => Promise<T>, done?: (result: T) => string): Promise<T>
}

export const silentTerminal: Terminal = { line: () => {}, step: (_title, work) => work(() => {}) }

/** A spinner and a bar on a terminal; in a file or a pipe only finished lines. */
export function openTerminal(output: NodeJS.WriteStream): Terminal {
  const isTerminal = output.isTTY === true
  const color = (code: number, text: string) => (isTerminal ? `\x1b[${code}m${text}\x1b[0m` : text)
  const line = (text = '') => void output.write(`${text}\n`)
  return {
    line,
    async step(title, work, done = () => title) {
      const began = performance.now()
      let part = ''
      let frame = 0
      const draw = () =>
        output.write(`\r\x1b[2K  ${color(36, SPINNER[frame++ % SPINNER.length] ?? '')} ${title} ${part}`)
      const timer = isTerminal ? setInterval(draw, FRAME_MS) : undefined
      const seconds = () => color(90, `${((performance.now() - began) / 1000).toFixed(1)} s`)
      const finish = (mark: string, text: string) => {
        clearInterval(timer)
        line(`${isTerminal ? '\r\x1b[2K' : ''}  ${mark} ${text}  ${seconds()}`)
      }
      try {
        const result = await work((count, total) => {
          const filled = Math.round((BAR * count) / Math.max(total, 1))
          part = color(90, `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} ${count} of ${total}`)
        })
        finish(color(32, '✔'), done(result))
        return result
      } catch (error) {
        finish(color(31, '✖'), title)
        throw error
      }
    },
  }
}
