import type { DecoderShape } from '../models/cached-decoder.ts'
import {
  branchOf,
  createNode,
  createTensor,
  dataOf,
  floatsInput,
  type Graph,
  type GraphNode,
  integersTensor,
  readModel,
  TENSOR_TYPE,
  writeModel,
} from '../models/onnx/graph.ts'

const MICROSOFT = { domain: 'com.microsoft' }

/** The input of the decoder that hides later tokens of a prompt from earlier ones. */
export const MASK = 'attention_mask'

export const keysOfAudio = (layers: number): string[] => presentNames(layers, 'encoder')
export const keysOfText = (layers: number): string[] => presentNames(layers, 'decoder')

const presentNames = (layers: number, side: string): string[] =>
  Array.from({ length: layers }, (_, layer) =>
    ['key', 'value'].map((part) => `present.${layer}.${side}.${part}`),
  ).flat()

/**
 * The published encoder also returns its attention maps, which keeps 1.3 GB in memory (whisper-small), and always processes 30 s.
 * Here attention is one operator that stores no maps, and the number of positions follows the input.
 */
export function rewriteEncoder(file: Uint8Array, { layers, heads }: DecoderShape): Uint8Array {
  const graph = readModel(file)
  for (let layer = 0; layer < layers; layer++) {
    const name = `/layers.${layer}/self_attn/`
    const inputs = ['q_proj/Add', 'k_proj/MatMul', 'v_proj/Add'].map((part) => `${name}${part}_output_0`)
    replace(graph, `${name}Reshape_9_output_0`, (node) => [
      createNode('MultiHeadAttention', inputs, node.outputs, { ...MICROSOFT, num_heads: heads }),
    ])
  }
  replace(graph, '/Add_2_output_0', (node) => {
    const [states = '', positions = ''] = node.inputs
    return [
      createNode('Shape', [states], ['states_shape']),
      // Without the batch: the number of states, and their size.
      createNode('Slice', ['states_shape', 'one', 'three'], ['positions_shape']),
      createNode('Slice', [positions, 'origin', 'positions_shape'], ['positions']),
      { ...node, inputs: [states, 'positions'] },
    ]
  })
  addIntegers(graph, { one: [1], three: [3], origin: [0, 0] })
  return writeModel(graph, ['last_hidden_state'])
}

/**
 * The published decoder contains two decoders, with and without a cache, whose weights onnxruntime unpacks separately. Here one graph
 * computes the keys of the audio once per window, and the other one all tokens, with the vocabulary in 8 bits as in the file.
 */
export function splitDecoder(file: Uint8Array, { layers }: DecoderShape) {
  const outer = readModel(file)
  const choice = outer.nodes.find(({ operator }) => operator === 'If')
  if (!choice) throw new RangeError('The decoder has no branches.')
  const graphOf = (branch: string): Graph => ({
    ...outer,
    tensors: new Map(outer.tensors),
    inputs: new Map(outer.inputs),
    nodes: [...outer.nodes.filter((node) => node !== choice), ...branchOf(choice, branch).nodes],
  })
  const first = graphOf('else_branch')
  // They read the size of the batch from the text, which this graph does not have.
  for (const node of first.nodes)
    if (node.name.endsWith('encoder_attn/Shape')) node.inputs = ['encoder_hidden_states']
  const next = graphOf('then_branch')
  for (let layer = 0; layer < layers; layer++) addMask(next, layer)
  next.inputs.set(MASK, floatsInput(MASK, ['tokens', 'all_tokens']))
  quantiseVocabulary(next)
  return {
    audio: writeModel(first, keysOfAudio(layers)),
    text: writeModel(next, ['logits', ...keysOfText(layers)]),
  }
}

/** The branch with a cache was made for one token at a time, and lets each token of a prompt see all others. */
function addMask(graph: Graph, layer: number): void {
  const name = `/model/decoder/layers.${layer}/self_attn/Softmax_output_0`
  replace(graph, name, (node) => {
    const masked = `masked.${layer}`
    return [createNode('Add', [...node.inputs, MASK], [masked]), { ...node, inputs: [masked] }]
  })
}

/** Unpacked to 32 bits, the vocabulary would take 160 MB, which are read for each token. */
function quantiseVocabulary(graph: Graph): void {
  const name = 'model.decoder.embed_tokens.weight_merged_0'
  const [scale, zero] = [`${name}_scale`, `${name}_zero_point`]
  const rows = 51_865
  const data = dataOf(graph.tensors.get(`${name}_quantized`))
  const columns = data.length / rows
  const turned = createTensor(
    'vocabulary',
    TENSOR_TYPE.unsigned8,
    [columns, rows],
    transpose(data, rows, columns),
  )
  graph.tensors.set('vocabulary', turned)
  replace(graph, 'logits', ({ inputs, outputs }) => [
    createNode('DynamicQuantizeLinear', [inputs[0] ?? ''], ['state', 'state_scale', 'state_zero']),
    createNode('MatMulInteger', ['state', 'vocabulary', 'state_zero', zero], ['sums']),
    createNode('Cast', ['sums'], ['sums_as_floats'], { to: 1 }),
    createNode('Mul', ['state_scale', scale], ['sums_scale']),
    createNode('Mul', ['sums_as_floats', 'sums_scale'], outputs),
  ])
}

function transpose(data: Uint8Array, rows: number, columns: number): Uint8Array {
  const turned = new Uint8Array(data.length)
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      turned[column * rows + row] = data[row * columns + column] as number
  return turned
}

/** Replaces the node that computes `output`. */
function replace(graph: Graph, output: string, by: (node: GraphNode) => GraphNode[]): void {
  const index = graph.nodes.findIndex(({ outputs }) => outputs.includes(output))
  const node = graph.nodes[index]
  if (!node) throw new RangeError(`No node computes ${output}.`)
  graph.nodes.splice(index, 1, ...by(node))
}

function addIntegers(graph: Graph, values: Record<string, number[]>): void {
  for (const [name, integers] of Object.entries(values))
    graph.tensors.set(name, integersTensor(name, integers))
}
