import asyncHooks, { type HookCallbacks } from 'node:async_hooks'

/**
 * node:test follows every promise to know which test created it, which makes code with many promises up to 20 times slower. Here it
 * follows none. Test files run one after another, so a call of `test` or `after` belongs to the suite that is just being built, or
 * else to the file. Has to be imported before node:test, which takes these functions when it is loaded.
 */
const { createHook, executionAsyncId } = asyncHooks
const tests = new Set<number>()
let current: number | undefined

Object.assign(asyncHooks, {
  createHook: ({ init }: HookCallbacks) =>
    createHook({
      init(id, type, ...rest) {
        if (type !== 'Test') return
        tests.add(id)
        init?.(id, type, ...rest)
      },
      trackPromises: false,
    }),
  executionAsyncId: () => {
    const id = executionAsyncId()
    return tests.has(id) ? id : (current ?? id)
  },
})

/** To be called at the beginning of a file's suite. */
export function enterSuite(): void {
  current = executionAsyncId()
}

export function leaveSuite(): void {
  current = undefined
}
