import { noteStaffReadings, type StaffReading } from '../../tenancy/index.ts'
import { TEST_TYPE } from './payloads.ts'

/** The parts of an event's body that decide what a reader sees; `ids` payloads have no content. */
interface Body {
  type: string
  data: { conversation?: { id: string; transcript?: string }; report?: { id: string } } | null
}

const readingOf = ({ type, data }: Body) => {
  if (data === null || type === TEST_TYPE) return null
  const { conversation, report } = data
  if (report) return { action: 'report.read', target: { kind: 'report', id: report.id } } as const
  if (!conversation) return null
  const action = conversation.transcript === undefined ? 'conversation.read' : 'transcript.read'
  return { action, target: { kind: 'conversation', id: conversation.id } } as const
}

/** A delivery contains its payload, so staff who read it are audited as readers of the transcript, conversation or report. */
export async function noteDeliveryReading(
  context: StaffReading,
  deliveryId: string,
  body: Buffer | null,
): Promise<void> {
  if (body === null || !context.roles?.staff) return
  const reading = readingOf(JSON.parse(body.toString()) as Body)
  if (reading) await noteStaffReadings(context, [{ ...reading, details: { delivery_id: deliveryId } }])
}

/** One audit entry for each conversation whose transcript is among the events. The caller audits the reading of the list. */
export async function noteTranscriptsRead(context: StaffReading, events: unknown[]): Promise<void> {
  const readings = new Map<string, NonNullable<ReturnType<typeof readingOf>>>()
  for (const event of events) {
    const reading = readingOf(event as Body)
    if (reading?.action === 'transcript.read') readings.set(reading.target.id, reading)
  }
  await noteStaffReadings(context, [...readings.values()])
}
