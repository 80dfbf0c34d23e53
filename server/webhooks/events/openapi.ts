import { HEADERS } from '../copyable/markdown.ts'
import { EVENT_SENTENCES, EVENT_TYPES, type EventType, jsonSchemaOf } from './payloads.ts'
import { SAMPLE_EVENT, sampleOf } from './samples.ts'
import { serialise } from './serialise.ts'

/** The `webhooks` part of the OpenAPI document: the requests that receivers get. */
export const describeEvents = (): Record<string, unknown> =>
  Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: describeEvent(type) }]))

function describeEvent(type: EventType) {
  const { $schema: _dialect, ...schema } = jsonSchemaOf(type)
  const example = JSON.parse(serialise(sampleOf(type, PROJECT_ID), EXAMPLE).full.toString()) as unknown
  return {
    operationId: `on${type.replaceAll(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    summary: EVENT_SENTENCES[type],
    description: 'Sent by POST to the URL of the webhook. Verify the signature before you trust the body.',
    tags: ['Events'],
    security: [],
    parameters: Object.entries(HEADERS)
      .filter(([name]) => name !== 'Content-Type')
      .map(([name, description]) => ({ name, in: 'header', description, schema: { type: 'string' } })),
    requestBody: { required: true, content: { 'application/json': { schema, example } } },
    responses: {
      '2XX': { description: 'Received. After any other status the delivery is retried.' },
      '410': { description: 'Disables the webhook.' },
    },
  }
}

const PROJECT_ID = '01890a5d-ac96-774b-bcce-b302099a8062'
const EXAMPLE = {
  ...SAMPLE_EVENT,
  organisationId: '01890a5d-ac96-774b-bcce-b302099a8060',
  workspaceId: '01890a5d-ac96-774b-bcce-b302099a8061',
  projectName: 'A park for all',
  publicUrl: 'https://parley.example.com',
}
