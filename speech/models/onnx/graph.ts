import { type Field, integerField, message, type Pieces, readFields, textField, textOf } from './protobuf.ts'

/** Field numbers of ONNX (onnx.proto). */
const MODEL = { version: 1, graph: 7, operators: 8 }
const GRAPH = { node: 1, name: 2, tensor: 5, input: 11, output: 12 }
const NODE = { input: 1, output: 2, name: 3, operator: 4, attribute: 5, domain: 7 }
const ATTRIBUTE = { name: 1, integer: 3, graph: 6, type: 20 }
const TENSOR = { dimension: 1, type: 2, name: 8, data: 9 }
const OPERATORS = { domain: 1, version: 2 }
const TYPE = { type: 2, tensor: 1, element: 1, shape: 2 }
const SHAPE = { dimension: 1, free: 2 }
const FLOATS = 1
/** Of an input or an output. */
const NAME = 1
const INTEGER_ATTRIBUTE = 2

export interface GraphNode {
  operator: string
  name: string
  inputs: string[]
  outputs: string[]
  /** Unchanged: attributes and the domain of the operator. */
  rest: Pieces
}

/** Tensors, inputs and outputs by name, as in the file. */
export interface Graph {
  nodes: GraphNode[]
  tensors: Map<string, Uint8Array>
  inputs: Map<string, Uint8Array>
  outputs: Map<string, Uint8Array>
}

export const TENSOR_TYPE = { unsigned8: 2, integer64: 7 }

export function readModel(file: Uint8Array): Graph {
  const graph = readFields(file).find(({ number }) => number === MODEL.graph)
  if (!graph) throw new RangeError('The file contains no graph.')
  return readGraph(graph.payload)
}

function readGraph(bytes: Uint8Array): Graph {
  const fields = readFields(bytes)
  const named = (kind: number, nameField: number): Map<string, Uint8Array> =>
    new Map(
      fields
        .filter(({ number }) => number === kind)
        .map(({ payload }) => [
          textOf(readFields(payload).find(({ number }) => number === nameField)),
          payload,
        ]),
    )
  return {
    nodes: fields.filter(({ number }) => number === GRAPH.node).map(({ payload }) => readNode(payload)),
    tensors: named(GRAPH.tensor, TENSOR.name),
    inputs: named(GRAPH.input, NAME),
    outputs: named(GRAPH.output, NAME),
  }
}

function readNode(bytes: Uint8Array): GraphNode {
  const fields = readFields(bytes)
  const texts = (kind: number): string[] => fields.filter(({ number }) => number === kind).map(textOf)
  const isRest = ({ number }: Field): boolean => number === NODE.attribute || number === NODE.domain
  return {
    operator: texts(NODE.operator)[0] ?? '',
    name: texts(NODE.name)[0] ?? '',
    inputs: texts(NODE.input),
    outputs: texts(NODE.output),
    rest: fields.filter(isRest).map((field) => field.bytes),
  }
}

/** A branch of an `If`. */
export function branchOf(node: GraphNode, name: string): Graph {
  for (const attribute of node.rest.flatMap((piece) => readFields(piece))) {
    const fields = readFields(attribute.payload)
    const graph = fields.find(({ number }) => number === ATTRIBUTE.graph)
    if (graph && textOf(fields.find(({ number }) => number === ATTRIBUTE.name)) === name)
      return readGraph(graph.payload)
  }
  throw new RangeError(`There is no branch ${name}.`)
}

export function createNode(
  operator: string,
  inputs: string[],
  outputs: string[],
  { domain = '', ...integers }: { domain?: string } & Record<string, string | number> = {},
): GraphNode {
  const attributes = Object.entries(integers).flatMap(([name, value]) =>
    message(NODE.attribute, [
      ...textField(ATTRIBUTE.name, name),
      ...integerField(ATTRIBUTE.integer, Number(value)),
      ...integerField(ATTRIBUTE.type, INTEGER_ATTRIBUTE),
    ]),
  )
  const rest = [...attributes, ...(domain ? textField(NODE.domain, domain) : [])]
  return { operator, name: '', inputs, outputs, rest }
}

export function createTensor(
  name: string,
  type: number,
  dimensions: readonly number[],
  data: Uint8Array,
): Uint8Array {
  return Buffer.concat([
    ...dimensions.flatMap((size) => integerField(TENSOR.dimension, size)),
    ...integerField(TENSOR.type, type),
    ...textField(TENSOR.name, name),
    ...message(TENSOR.data, [data]),
  ])
}

export const integersTensor = (name: string, values: readonly number[]): Uint8Array =>
  createTensor(
    name,
    TENSOR_TYPE.integer64,
    [values.length],
    new Uint8Array(BigInt64Array.from(values, BigInt).buffer),
  )

/** The description of an input of 32-bit floats whose sizes are free. */
export function floatsInput(name: string, sizes: readonly string[]): Uint8Array {
  const shape = sizes.flatMap((size) => message(SHAPE.dimension, textField(SHAPE.free, size)))
  const tensor = [...integerField(TYPE.element, FLOATS), ...message(TYPE.shape, shape)]
  return Buffer.concat([...textField(NAME, name), ...message(TYPE.type, message(TYPE.tensor, tensor))])
}

/** The bytes of a tensor. */
export const dataOf = (tensor: Uint8Array | undefined): Uint8Array =>
  readFields(tensor ?? new Uint8Array(0)).find(({ number }) => number === TENSOR.data)?.payload ??
  new Uint8Array(0)

/** A file that computes only `outputs`: nodes and tensors that they do not need are left out. */
export function writeModel(graph: Graph, outputs: readonly string[]): Uint8Array {
  const needed = new Set(outputs)
  const nodes: GraphNode[] = []
  for (const node of graph.nodes.toReversed())
    if (node.outputs.some((name) => needed.has(name))) {
      nodes.unshift(node)
      for (const name of node.inputs) needed.add(name)
    }
  const isNeeded = ([name]: [string, Uint8Array]): boolean => needed.has(name)
  const asFields = (kind: number, named: Iterable<[string, Uint8Array]>): Pieces =>
    [...named].filter(isNeeded).flatMap(([, bytes]) => message(kind, [bytes]))
  const content = [
    ...nodes.flatMap((node) => message(GRAPH.node, pieces(node))),
    ...textField(GRAPH.name, 'model'),
    ...asFields(GRAPH.tensor, graph.tensors),
    ...asFields(GRAPH.input, graph.inputs),
    ...asFields(
      GRAPH.output,
      outputs.map((name) => [name, graph.outputs.get(name) ?? new Uint8Array(0)]),
    ),
  ]
  return Buffer.concat([
    ...integerField(MODEL.version, 8),
    ...operatorSet('', 11),
    ...operatorSet('com.microsoft', 1),
    ...message(MODEL.graph, content),
  ])
}

const pieces = ({ operator, name, inputs, outputs, rest }: GraphNode): Pieces => [
  ...inputs.flatMap((input) => textField(NODE.input, input)),
  ...outputs.flatMap((output) => textField(NODE.output, output)),
  ...textField(NODE.name, name),
  ...textField(NODE.operator, operator),
  ...rest,
]

const operatorSet = (domain: string, version: number): Pieces =>
  message(MODEL.operators, [
    ...textField(OPERATORS.domain, domain),
    ...integerField(OPERATORS.version, version),
  ])
