import { redactNames } from '../names/redact-names.ts'
import type { ReportDocument } from '../render/report-document.ts'
import { type StoredDocument, withLinks } from '../stored-document.ts'

/** The document that anyone can read: without names of participants, titles of conversations, and internal ids in links. */
export function publishedDocument(
  stored: StoredDocument,
  projectName: string,
  isRedacted: boolean,
): ReportDocument {
  const document = withLinks(isRedacted ? redactNames(stored) : stored, projectName, () => null)
  const conversations = document.conversations.map((one) => ({ ...one, title: null, participant: null }))
  return { ...document, conversations }
}
