import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatCode, parseCode } from './short-code.ts'

test('reads a code in any case, with or without hyphens and spaces', () => {
  for (const typed of ['K7QM2XRD', 'k7qm2xrd', 'k7qm-2xrd', ' K7QM 2XRD ', 'k-7-q-m-2-x-r-d'])
    assert.equal(parseCode(typed), 'K7QM2XRD', typed)
  assert.equal(parseCode(formatCode('K7QM2XRD')), 'K7QM2XRD')
})

test('rejects everything that cannot be a code', () => {
  for (const typed of [
    '',
    'K7QM2XR',
    'K7QM2XRDD',
    '0QM2XRDA',
    'OQM2XRDA',
    '1QM2XRDA',
    'IQM2XRDA',
    'LQM2XRDA',
    'UQM2XRDA',
    "';--1234",
  ])
    assert.equal(parseCode(typed), null, typed)
  // In upper case these are `SS` and `S`.
  for (const typed of ['ßaaaaaa', 'ſaaaaaaa']) assert.equal(parseCode(typed), null, typed)
})
