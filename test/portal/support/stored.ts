import type { Portal } from '../../support/conversations.ts'
import { until } from '../../support/webhooks.ts'
import { storedAudio } from './speech.ts'

/** The address of a project's recording page. */
export const pageOf = ({ backend, projectId }: Portal): string => `${backend.url}/p/${projectId}`

export async function conversationsOf({ owner, projectId }: Portal): Promise<{ id: string }[]> {
  return (await owner.get(`/api/v2/projects/${projectId}/conversations`)).body.data
}

/** The joined audio of a project's only conversation, once it is finished. */
export async function audioOf(portal: Portal): Promise<Float32Array> {
  const [conversation, ...others] = await conversationsOf(portal)
  if (!conversation || others.length > 0) throw new Error(`${others.length + 1} conversations instead of one`)
  return await audioOfConversation(portal, conversation.id)
}

export async function audioOfConversation({ backend, owner }: Portal, id: string): Promise<Float32Array> {
  const headers = { authorization: `Bearer ${owner.token}` }
  const response = await until(
    () => fetch(`${backend.url}/api/v2/conversations/${id}/audio`, { headers }),
    ({ status }) => status === 200,
  )
  return await storedAudio(Buffer.from(await response.arrayBuffer()))
}
