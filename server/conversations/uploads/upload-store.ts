import type { Readable } from 'node:stream'
import { DataStore, ERRORS, Upload } from '@tus/server'
import { UploadConflict, type UploadFiles } from '../../../storage/file-store.ts'

/** How long unfinished uploads, and the records of finished ones, are kept. */
export const KEPT_MS = 24 * 3_600_000

/** Marks an upload whose bytes are in a conversation; its `path` is the path of the conversation. */
const RECEIVED = 'received'

/** Metadata is the note of an upload. A finished upload keeps a note without it, for clients that lost the last response. */
export class UploadStore extends DataStore {
  override extensions = [
    'creation',
    'creation-with-upload',
    'creation-defer-length',
    'termination',
    'expiration',
  ]
  readonly files: UploadFiles

  constructor(files: UploadFiles) {
    super()
    this.files = files
  }

  override getExpiration(): number {
    return KEPT_MS
  }

  async has(id: string): Promise<boolean> {
    return (await this.files.readNote(id)) !== null
  }

  override async create(upload: Upload): Promise<Upload> {
    await this.files.create(upload.id, JSON.stringify(upload))
    return upload
  }

  override async getUpload(id: string): Promise<Upload> {
    const note = await this.note(id)
    if (receivedAs(note) !== null) return note
    const offset = await this.files.size(id)
    if (offset !== null) return Object.assign(note, { offset })
    // It can be finished between the two reads.
    const received = await this.note(id)
    if (receivedAs(received) === null) throw ERRORS.FILE_NO_LONGER_EXISTS
    return received
  }

  private async note(id: string): Promise<Upload> {
    const note = await this.files.readNote(id)
    if (note === null) throw ERRORS.FILE_NOT_FOUND
    return Object.assign(new Upload({ id, offset: 0 }), JSON.parse(note))
  }

  override async declareUploadLength(id: string, size: number): Promise<void> {
    await this.files.writeNote(id, JSON.stringify(Object.assign(await this.note(id), { size })))
  }

  /** Bytes are durable when this resolves or rejects: HEAD must not report bytes that a power failure can lose. */
  override async write(content: Readable, id: string, offset: number): Promise<number> {
    if (receivedAs(await this.getUpload(id)) !== null) return offset
    try {
      return await this.files.append(id, offset, content)
    } catch (error) {
      throw error instanceof UploadConflict ? ERRORS.INVALID_OFFSET : error
    }
  }

  override async remove(id: string): Promise<void> {
    if (!(await this.has(id))) throw ERRORS.FILE_NOT_FOUND
    await this.files.remove(id)
  }

  /** Keeps no personal data of a received file: erasing the conversation would not reach it. */
  async markReceived({ id, size, creation_date }: Upload, address: string): Promise<void> {
    const received = { id, size, offset: size, creation_date, storage: { type: RECEIVED, path: address } }
    await this.files.writeNote(id, JSON.stringify(received))
    await this.files.removeBytes(id)
  }
}

/** The path of the conversation that has the bytes; null for an unfinished upload. */
export const receivedAs = ({ storage }: Upload): string | null =>
  storage?.type === RECEIVED ? storage.path : null
