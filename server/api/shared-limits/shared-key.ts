import { hash } from 'node:crypto'

/** A digest as a UUID, because a key can be a client address or text of a client, which the database does not need to know. */
export const sharedKey = (scope: string, key: string): string =>
  hash('sha256', `${scope} ${key}`).slice(0, 32)
