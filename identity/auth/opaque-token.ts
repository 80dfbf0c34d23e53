import { createHash, randomBytes } from 'node:crypto'

/** 48 random bytes make 64 characters, the length that Directus uses. */
export const newOpaqueToken = (): string => randomBytes(48).toString('base64url')

/** What the database keeps of a token. They are random and long, so a fast hash can't be guessed backwards. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
