import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { parseFilesUrl } from '../open-store.ts'
import { createSigner, type UnsignedRequest } from './sign-request.ts'

/** The examples in the documentation of Amazon S3. */
const sign = createSigner({
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
})
const NOW = new Date('2013-05-24T00:00:00Z')
const EMPTY = createHash('sha256').digest('hex')

interface Example extends Pick<UnsignedRequest, 'path' | 'headers' | 'query'> {
  name: string
  signature: string
}

const EXAMPLES: Example[] = [
  {
    name: 'a range of an object',
    path: '/test.txt',
    headers: { range: 'bytes=0-9' },
    query: {},
    signature: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  },
  {
    name: 'a query without a value',
    path: '/',
    headers: {},
    query: { lifecycle: '' },
    signature: 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  },
  {
    name: 'a query with values',
    path: '/',
    headers: {},
    query: { prefix: 'J', 'max-keys': '2' },
    signature: '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  },
]

for (const { name, signature, ...request } of EXAMPLES)
  test(`signs ${name} like Amazon S3`, () => {
    const host = 'examplebucket.s3.amazonaws.com'
    const { authorization } = sign({ method: 'GET', host, digest: EMPTY, ...request }, NOW)
    assert.ok(authorization?.endsWith(`Signature=${signature}`), authorization)
  })

test('reads addresses of stores', () => {
  assert.deepEqual(parseFilesUrl('file:///srv/files'), { kind: 'disk', folder: '/srv/files' })
  assert.deepEqual(parseFilesUrl('s3://bucket/a/b/'), { kind: 's3', bucket: 'bucket', prefix: 'a/b' })
  assert.deepEqual(parseFilesUrl('s3://bucket'), { kind: 's3', bucket: 'bucket', prefix: '' })
  for (const url of [
    's3://',
    's3://B/x',
    's3://bucket/a//b',
    's3://bucket/../x',
    's3://key:secret@bucket',
    'ftp://x',
  ])
    assert.throws(() => parseFilesUrl(url), /must be a file: URL/, url)
})
