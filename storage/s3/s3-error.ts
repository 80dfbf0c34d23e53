/** An error response. The text of the server is not part of the message, since it can contain the access key. */
export class S3Error extends Error {
  readonly status: number
  readonly code: string
  constructor({ method, key }: { method: string; key?: string }, status: number, code: string) {
    super(`S3 request failed: ${method} ${key === undefined ? 'bucket' : 'object'}, ${status} ${code}`)
    this.status = status
    this.code = code
  }
}
