import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../test/support/properties.ts'
import { createKeyring, newEncryptionKey, parseKeyring } from './encryption.ts'

const keyring = createKeyring(newEncryptionKey())

test('decrypts a text in its own context only', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), fc.string(), (plain, context, other) => {
      const sealed = keyring.encrypt(plain, context)
      assert.equal(keyring.decrypt(sealed, context), plain)
      if (other !== context) assert.throws(() => keyring.decrypt(sealed, other))
    }),
  )
})

const bytesOf = (sealed: string) => Buffer.from(sealed.split('.')[1] ?? '', 'base64url')

test('rejects a ciphertext with any altered character', () => {
  const sealed = keyring.encrypt('a secret', 'row 1')
  for (let at = 0; at < sealed.length; at++) {
    // The last character of base64url has spare bits: a change there may decode to the same bytes.
    const altered = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1)
    if (!bytesOf(altered).equals(bytesOf(sealed)))
      assert.throws(() => keyring.decrypt(altered, 'row 1'), `character ${at}`)
  }
})

test('rejects a shortened authentication tag', () => {
  const [id, body] = keyring.encrypt('', 'row').split('.') as [string, string]
  const bytes = Buffer.from(body, 'base64url')
  assert.throws(() => keyring.decrypt(`${id}.${bytes.subarray(0, 16).toString('base64url')}`, 'row'))
})

test('decrypts with older keys and encrypts with the first one', () => {
  const [old, young] = [newEncryptionKey(), newEncryptionKey().replace('k1:', 'k2:')]
  const sealed = createKeyring(old).encrypt('kept', 'row')
  const both = createKeyring(`${young},${old}`)
  assert.equal(both.decrypt(sealed, 'row'), 'kept')
  assert.match(both.encrypt('new', 'row'), /^k2\./)
  assert.throws(() => createKeyring(young).decrypt(sealed, 'row'))
})

test('rejects keys that are short, duplicate or without an id', () => {
  const key = Buffer.alloc(32).toString('base64')
  for (const text of ['', 'k1', `:${key}`, 'k1:AAAA', `k1:${key},k1:${key}`, `k1:${key},`])
    assert.throws(() => parseKeyring(text), text)
})
