import { createHash, randomBytes } from 'node:crypto'

/** 48 random bytes are 64 characters, the length in Directus. */
export const newOpaqueToken = (): string => randomBytes(48).toString('base64url')

/** The database stores only this. A fast hash is enough, because tokens are long and random. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
