import assert from 'node:assert/strict'
import { test } from 'node:test'
import { opusSeconds } from './opus-packets.ts'
import { skipPackets } from './skip-packets.ts'

test('reads the duration of a packet from its first byte', () => {
  const packets: [bytes: number[], seconds: number][] = [
    [[0x00], 0.01],
    [[0x18], 0.06],
    [[0x58], 0.06],
    [[0x60], 0.01],
    [[0x78], 0.02],
    [[0x80], 0.0025],
    [[0xf8], 0.02],
    [[0xf9], 0.04],
    [[0xfa], 0.04],
    [[0xfb, 0x03], 0.06],
    [[0xfb, 0xc2], 0.04],
    [[], 0.01],
  ]
  for (const [bytes, seconds] of packets)
    assert.ok(Math.abs(opusSeconds(Uint8Array.from(bytes)) - seconds) < 1e-9, bytes.join())
})

test('skips packets that end before the limit, and yields all others', async () => {
  async function* packets() {
    for (let n = 0; n < 10; n++) yield Uint8Array.of(0xf8, n)
  }
  for (const [until, given] of [
    [-1, 10],
    [0.019, 10],
    [0.05, 8],
    [10, 0],
  ] as const) {
    const range = { until, skipped: 0 }
    const rest = await Array.fromAsync(skipPackets(packets(), range, opusSeconds))
    assert.equal(rest.length, given)
    assert.ok(Math.abs(range.skipped - (10 - given) * 0.02) < 1e-9)
  }
})
