/** What naming an upload may take in its transaction: a copy of 2 GiB, where the disk is far away and knows no second names. */
export const NAMING_MINUTES = 10

/** A conversation's files lie together, so that erasing it is removing one folder; the last digits spread them. */
export const folderOf = (conversationId: string): string =>
  `conversations/${conversationId.slice(-2)}/${conversationId}`

/** The digest is part of the name: other bytes under a used number never replace the first. */
export const chunkKey = (conversationId: string, seq: number, digest: Buffer): string =>
  `${folderOf(conversationId)}/${seq}-${digest.toString('hex').slice(0, 32)}`

/** The chunks as one file, made anew for each revision. */
export const joinedKey = (conversationId: string, revision: number): string =>
  `${folderOf(conversationId)}/whole-${revision}`
