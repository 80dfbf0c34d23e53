import { after, before, test } from 'node:test'
import {
  hasS3Server,
  NO_S3_SERVER,
  type S3Server,
  startS3Server,
} from '../../test/support/servers/s3-server.ts'
import type { FileStore } from '../file-store.ts'
import { testFileStore } from '../testing/conformance.ts'
import { openS3Store, type S3StoreOptions } from './s3-store.ts'

if (hasS3Server()) {
  let server: S3Server
  let bucket: S3StoreOptions
  const stores: FileStore[] = []
  before(async () => {
    server = await startS3Server()
    bucket = await server.newBucket()
  })
  after(async () => {
    await Promise.all(stores.map((store) => store.close()))
    await server.stop()
  })
  let last = 0
  testFileStore('in a bucket', async () => {
    const store = openS3Store({ ...bucket, prefix: `store-${++last}` })
    stores.push(store)
    return store
  })
} else test('in a bucket', { skip: NO_S3_SERVER }, () => {})
