import '../headers.ts'
import type { HeaderName, OperationExtras, RawBody } from '../../api/openapi/index.ts'
import type { ProblemCode } from '../../api/problems.ts'

/** One request of the tus protocol. */
export interface UploadOperation {
  verb: string
  method: 'POST' | 'HEAD' | 'PATCH' | 'DELETE'
  path: string
  summary: string
  body?: RawBody
  problems: ProblemCode[]
  responses: Record<number, null>
  openapi: OperationExtras
}

const BYTES = {
  mediaTypes: ['application/offset+octet-stream'],
  required: true,
  description: 'The next bytes of the file.',
}

/** Errors of the tus protocol, with the texts of the tus server. */
const TUS_ERRORS = {
  400: 'Upload-Length or Upload-Defer-Length header required\n',
  403: 'Upload-Offset header required\n',
  404: 'The file for this url was not found\n',
  409: 'Upload-Offset conflict\n',
  410: 'The file for this url no longer exists\n',
  412: 'Tus-Resumable Required\n',
  413: 'Maximum size exceeded\n',
}

const described = (status: number, request: HeaderName[], response: HeaderName[]) => ({
  responses: { [status]: null },
  openapi: {
    description:
      'Follows tus 1.0: use any tus client. The response to the last bytes has the id of the conversation in X-Conversation-Id.',
    plainErrors: { name: 'Tus', textOf: TUS_ERRORS },
    requestHeaders: ['Tus-Resumable' as const, ...request],
    responseHeaders: { [status]: ['Tus-Resumable' as const, ...response] },
  },
})

const WRITE_PROBLEMS: ProblemCode[] = [
  'limit_reached',
  'storage_full',
  'storage_unavailable',
  'invalid_input',
]

export const OPERATIONS: UploadOperation[] = [
  {
    verb: 'create',
    method: 'POST',
    path: '',
    summary: 'Start an upload, optionally with its first bytes',
    body: { ...BYTES, required: false, description: 'The first bytes of the file; optional.' },
    problems: WRITE_PROBLEMS,
    ...described(
      201,
      ['Upload-Length', 'Upload-Defer-Length', 'Upload-Metadata'],
      ['Location', 'Upload-Offset', 'Upload-Expires', 'X-Conversation-Id'],
    ),
  },
  {
    verb: 'read',
    method: 'HEAD',
    path: '/:uid',
    summary: 'Read how many bytes of an upload have arrived',
    problems: ['storage_unavailable'],
    ...described(
      200,
      [],
      [
        'Upload-Offset',
        'Upload-Length',
        'Upload-Defer-Length',
        'Upload-Metadata',
        'Upload-Expires',
        'X-Conversation-Id',
        'Location',
      ],
    ),
  },
  {
    verb: 'append',
    method: 'PATCH',
    path: '/:uid',
    summary: 'Send the next bytes of an upload',
    body: BYTES,
    problems: WRITE_PROBLEMS,
    ...described(
      204,
      ['Upload-Offset', 'Upload-Length'],
      ['Upload-Offset', 'Upload-Expires', 'X-Conversation-Id', 'Location'],
    ),
  },
  {
    verb: 'delete',
    method: 'DELETE',
    path: '/:uid',
    summary: 'Cancel an upload',
    problems: ['unsupported_media', 'storage_unavailable'],
    ...described(204, [], []),
  },
]
