import { createHash, randomUUID } from 'node:crypto'
import { createS3Client } from '../../storage/s3/client.ts'
import { startS3Server } from '../../test/support/servers/s3-server.ts'
import { parseNumberOptions, saveFigures } from '../deliveries/figures.ts'
import { startFixtures } from './fixtures.ts'
import { measureThroughput, type Upload } from './throughput.ts'

/**
 * `node bench/ingest/s3.ts [--rounds=3] [--uploads=2000]`: the throughput of durable chunks with the files in a bucket, compared with
 * bare PUTs to the same S3 server (SeaweedFS, `npm run setup:s3`). All processes share the cores of this machine.
 */
const options = parseNumberOptions({ rounds: 3, uploads: 2_000 })
const GOALS = { small: 0.7, large: 0.7 }

await using server = await startS3Server()
const bucket = await server.newBucket()
await using fixtures = await startFixtures({
  FILES_URL: `s3://${bucket.bucket}/bench`,
  S3_ENDPOINT: server.endpoint,
  S3_REGION: bucket.region,
  S3_ACCESS_KEY_ID: bucket.accessKeyId,
  S3_SECRET_ACCESS_KEY: bucket.secretAccessKey,
})
const client = createS3Client(bucket)
const digests = new Map<number, string>()
/** With a signature over the body, as any careful client sends it. The digest of the chunk is computed once. */
const bareUpload: Upload = async (_, body) => {
  const digest = digests.get(body.length) ?? createHash('sha256').update(body).digest('hex')
  digests.set(body.length, digest)
  const response = await client.send({ method: 'PUT', key: `bare/${randomUUID()}`, body, digest })
  await response.body.dump()
}
const load = { bytes: 120 * 1024, uploads: options.uploads, warmUp: 2 }
const small = await measureThroughput(fixtures, load, options.rounds, bareUpload)
const large = await measureThroughput(
  fixtures,
  { bytes: 4 * 1024 * 1024, uploads: Math.ceil(options.uploads / 20), warmUp: 1 },
  options.rounds,
  bareUpload,
)
await client.close()
await saveFigures('ingest-s3', { goals: GOALS, small, large })
