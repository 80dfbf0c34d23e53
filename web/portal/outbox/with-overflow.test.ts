import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryOutbox } from './memory.ts'
import type { Outbox, Piece } from './outbox.ts'
import { withOverflow } from './with-overflow.ts'

const piece = (seq: number, text: string): Piece => ({
  recordingId: 'r',
  seq,
  bytes: new TextEncoder().encode(text).buffer,
  type: 'audio/webm',
  at: 1_000,
  durationMs: 500,
})

/** A device that takes this many pieces, and frees what was sent. */
function smallDevice(room: number): Outbox {
  const memory = createMemoryOutbox()
  let left = room
  return {
    ...memory,
    isDurable: true,
    addPiece: async (one, beginsFile) => {
      if (left === 0) throw new DOMException('full', 'QuotaExceededError')
      left -= 1
      return memory.addPiece(one, beginsFile)
    },
    removeSentAudio: async () => {
      const freed = await memory.removeSentAudio()
      if (freed) left = 1
      return freed
    },
  }
}

const textOf = async (outbox: Outbox, seq: number): Promise<string | undefined> => {
  const chunk = (await outbox.chunks('r')).find((one) => one.seq === seq)
  return chunk && (await outbox.audio(chunk))?.text()
}

test('audio that does not fit on the device is kept in memory, in order, until it is sent', async () => {
  const outbox = withOverflow(smallDevice(3))
  for (const text of ['a', 'b']) await outbox.addPiece(piece(0, text), text === 'a')
  for (const text of ['c', 'd', 'e']) await outbox.addPiece(piece(1, text), false)
  assert.deepEqual([outbox.isFull, outbox.isDurable], [true, false])
  assert.deepEqual([await textOf(outbox, 0), await textOf(outbox, 1)], ['ab', 'cde'])
  const chunks = await outbox.chunks('r')
  assert.deepEqual(
    chunks.map(({ seq, durationMs, isSent, beginsFile }) => [seq, durationMs, isSent, beginsFile]),
    [
      [0, 1_000, false, true],
      [1, 1_500, false, false],
    ],
  )
  for (const chunk of chunks) await outbox.markSent(chunk)
  assert.deepEqual([outbox.isFull, outbox.isDurable], [false, true])
  assert.ok((await outbox.chunks('r')).every(({ isSent }) => isSent))
})

test('audio that was sent makes room on the device', async () => {
  const outbox = withOverflow(smallDevice(2))
  for (const text of ['a', 'b']) await outbox.addPiece(piece(0, text), false)
  for (const chunk of await outbox.chunks('r')) await outbox.markSent(chunk)
  await outbox.addPiece(piece(1, 'c'), false)
  assert.equal(outbox.isFull, false)
  assert.deepEqual([await textOf(outbox, 0), await textOf(outbox, 1)], [undefined, 'c'])
})

test('audio in memory can be sent although the browser has withdrawn its storage', async () => {
  const device = smallDevice(2)
  const outbox = withOverflow(device)
  for (const seq of [0, 1]) await outbox.addPiece(piece(seq, `${seq}`), false)
  await outbox.chunks('r')
  const gone = () => Promise.reject(new DOMException('gone', 'InvalidStateError'))
  Object.assign(device, { addPiece: gone, chunks: gone, audio: gone, removeSentAudio: gone, markSent: gone })
  await outbox.addPiece(piece(2, '2'), false)
  assert.deepEqual(
    (await outbox.chunks('r')).map(({ seq }) => seq),
    [0, 1, 2],
  )
  assert.equal(await textOf(outbox, 2), '2')
  await assert.rejects(textOf(outbox, 0))
})

/** A device whose data can be deleted, as in the settings of a browser. */
function forgetfulDevice() {
  const memory = createMemoryOutbox()
  return { outbox: withOverflow({ ...memory, isDurable: true }), forget: () => memory.remove('r') }
}

const statesOf = async (outbox: Outbox) =>
  (await outbox.chunks('r')).map(({ seq, durationMs, isSent, lostMs = 0 }) => [
    seq,
    durationMs,
    isSent,
    lostMs,
  ])

test('audio that the device has lost is counted as lost, unless it was sent', async () => {
  const { outbox, forget } = forgetfulDevice()
  for (const seq of [0, 1, 2]) await outbox.addPiece(piece(seq, `${seq}`), seq === 0)
  const [first] = await outbox.chunks('r')
  assert.ok(first)
  await outbox.markSent(first)
  await forget()
  assert.deepEqual(await statesOf(outbox), [
    [0, 500, true, 0],
    [1, 500, false, 500],
    [2, 500, false, 500],
  ])
  assert.equal(await textOf(outbox, 1), undefined)
})

test('the rest of a chunk whose beginning was lost is sent, and the beginning stays lost afterwards', async () => {
  const { outbox, forget } = forgetfulDevice()
  await outbox.addPiece(piece(0, 'a'), true)
  for (const chunk of await outbox.chunks('r')) await outbox.markSent(chunk)
  for (const text of ['b', 'c']) await outbox.addPiece(piece(1, text), false)
  await forget()
  await outbox.addPiece(piece(1, 'd'), false)
  const expected = [
    [0, 500, true, 0],
    [1, 1_500, false, 1_000],
  ]
  assert.deepEqual(await statesOf(outbox), expected)
  assert.equal(await textOf(outbox, 1), 'd')
  for (const chunk of await outbox.chunks('r')) await outbox.markSent(chunk)
  await forget()
  assert.deepEqual(await statesOf(outbox), [expected[0], [1, 1_500, true, 1_000]])
})

test('the rest of a file whose header was lost is lost, too, and the next file is not', async () => {
  const { outbox, forget } = forgetfulDevice()
  await outbox.addPiece(piece(0, 'header'), true)
  await forget()
  await outbox.addPiece(piece(0, 'a'), false)
  await outbox.addPiece(piece(1, 'b'), false)
  await outbox.addPiece(piece(2, 'header'), true)
  assert.deepEqual(await statesOf(outbox), [
    [0, 1_000, false, 1_000],
    [1, 500, false, 500],
    [2, 500, false, 0],
  ])
  assert.deepEqual([await textOf(outbox, 1), await textOf(outbox, 2)], [undefined, 'header'])
})
