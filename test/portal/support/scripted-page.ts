import { setTimeout as pause } from 'node:timers/promises'

/** A page that is driven by scripts alone, for browsers without playwright-core. */
export interface ScriptedPage {
  /** The value of an expression, or of the promise that it returns. */
  evaluate<T>(expression: string): Promise<T>
  untilTrue(expression: string, what: string): Promise<void>
  untilStep(step: string): Promise<void>
  untilText(text: string): Promise<void>
  /** Presses the main button of the screen, or the one with this text. */
  press(text?: string): Promise<void>
  /** Presses the button that leads on until the page records. */
  startRecording(): Promise<void>
}

const STEP = `document.querySelector('.frame')?.dataset.step`
const HAS_LEVEL = `document.querySelector('.level') !== null`
/** Far longer than a step takes, also on a busy machine. */
const TIMEOUT_MS = 120_000
const POLL_MS = 100

/** `evaluateJson` runs an expression in the page and returns the JSON of its value. */
export function scriptedPage(evaluateJson: (expression: string) => Promise<string>): ScriptedPage {
  const evaluate = async <T>(expression: string): Promise<T> =>
    JSON.parse(await evaluateJson(`(async () => JSON.stringify((await (${expression})) ?? null))()`)) as T
  const untilTrue = async (expression: string, what: string): Promise<void> => {
    const deadline = Date.now() + TIMEOUT_MS
    do {
      // A page that is being loaded has nothing to evaluate in.
      if (await evaluate<boolean>(expression).catch(() => false)) return
      await pause(POLL_MS)
    } while (Date.now() < deadline)
    const shown = await evaluate<string>('document.body.innerText').catch(String)
    throw new Error(`The page did not show ${what}, but:\n${shown}`)
  }
  const press = async (text?: string): Promise<void> => {
    const found = text
      ? `[...document.querySelectorAll('button')].find((one) => one.innerText.includes(${JSON.stringify(text)}))`
      : `document.querySelector('.actions .primary')`
    await untilTrue(`Boolean(${found})`, text ?? 'the main button')
    await evaluate(`${found}.click()`)
  }
  return {
    evaluate,
    untilTrue,
    press,
    untilStep: (step) => untilTrue(`${STEP} === '${step}'`, `the step ${step}`),
    untilText: (text) => untilTrue(`document.body.innerText.includes(${JSON.stringify(text)})`, text),
    async startRecording() {
      for (;;) {
        const step = await evaluate<string>(STEP)
        if (step === 'recording') return
        const isChecking = await evaluate<boolean>(HAS_LEVEL)
        await press()
        if (step !== 'microphone') continue
        await untilTrue(isChecking ? `document.querySelector('.time') !== null` : HAS_LEVEL, 'the microphone')
      }
    },
  }
}
