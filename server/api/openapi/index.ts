/** The OpenAPI document: routes describe themselves by an `Operation`, and the document is built from all of them. */
export { buildDocument, type DocumentOptions } from './document.ts'
export { defineHeaders, type HeaderName } from './headers.ts'
export {
  fastifySchemaOf,
  type Operation,
  type OperationExtras,
  operationOf,
  type RawBody,
  type ResponseBody,
} from './operation.ts'
export type { Tag } from './tags.ts'
