/** Why a service cannot start, in words for the operator. It is logged without a stack trace. */
export class StartupError extends Error {
  override name: string = 'StartupError'
}
