/** One folder per conversation, so that erasing it removes one folder. The last digits distribute the folders. */
export const folderOf = (conversationId: string): string =>
  `conversations/${conversationId.slice(-2)}/${conversationId}`

/** Contains the digest, so that a different chunk with the same number never replaces the first. */
export const chunkKey = (conversationId: string, seq: number, digest: Buffer): string =>
  `${folderOf(conversationId)}/${seq}-${digest.toString('hex').slice(0, 32)}`

/** The joined chunks; each revision has its own file. */
export const joinedKey = (conversationId: string, revision: number): string =>
  `${folderOf(conversationId)}/whole-${revision}`

/** The loudness of the joined audio. */
export const peaksKey = (conversationId: string, revision: number): string =>
  `${folderOf(conversationId)}/peaks-${revision}`
