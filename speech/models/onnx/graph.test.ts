import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openInference } from '../runtime.ts'
import {
  createNode,
  dataOf,
  floatsInput,
  type Graph,
  integersTensor,
  readModel,
  writeModel,
} from './graph.ts'
import { readFields } from './protobuf.ts'

const graph = (): Graph => ({
  nodes: [
    createNode('Shape', ['sound'], ['size']),
    createNode('Slice', ['size', 'one', 'two'], ['columns']),
    createNode('Cast', ['columns'], ['result'], { to: 1 }),
    createNode('Identity', ['sound'], ['unused']),
  ],
  tensors: new Map([
    ['one', integersTensor('one', [1])],
    ['two', integersTensor('two', [2])],
    ['other', integersTensor('other', [300])],
  ]),
  inputs: new Map([['sound', floatsInput('sound', ['rows', 'columns'])]]),
  outputs: new Map([['result', floatsInput('result', ['one'])]]),
})

test('writes a graph that onnxruntime runs', async () => {
  const ort = await openInference(1)
  const model = await ort.loadGraph(writeModel(graph(), ['result']), 'kept')
  const { result } = await model.run({ sound: ort.floats(new Float32Array(21), [3, 7]) }, ['result'])
  assert.deepEqual([...(result.data as Float32Array)], [7])
})

test('leaves out what the outputs do not need', () => {
  const read = readModel(writeModel(graph(), ['result']))
  assert.deepEqual(
    read.nodes.map(({ operator }) => operator),
    ['Shape', 'Slice', 'Cast'],
  )
  assert.deepEqual([...read.tensors.keys()], ['one', 'two'])
  assert.deepEqual(dataOf(read.tensors.get('two')), Buffer.from([2, 0, 0, 0, 0, 0, 0, 0]))
})

test('rejects truncated files', () => {
  const file = writeModel(graph(), ['result'])
  assert.throws(() => readModel(file.subarray(0, file.length - 3)), RangeError)
  assert.throws(() => readFields(Uint8Array.from([0x80])), RangeError)
  assert.throws(() => readFields(Uint8Array.from([0x0f])), RangeError)
})
