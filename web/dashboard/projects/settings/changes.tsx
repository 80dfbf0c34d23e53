import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { TimeIn } from '../../ui/time.tsx'
import type { Words } from '../../words/en/index.ts'
import { useWords } from '../../words/words.tsx'
import { changesQuery } from '../queries.ts'

export const whoOf = (
  { user_name, staff }: Pick<Schemas['ProjectChange'], 'user_name' | 'staff'>,
  { projectSettings }: Words,
): string => user_name ?? (staff ? projectSettings.staff : projectSettings.someone)

/** The names of fields in a sentence. The API can have fields that this page does not know. */
export const namesOf = (fields: readonly string[], { projectSettings }: Words): string =>
  fields.map((field) => (projectSettings.fields as Record<string, string>)[field] ?? field).join(', ')

/** The last change of these settings: author and time. */
export function LastChange({ projectId }: { projectId: string }): ReactNode {
  const w = useWords()
  const { data } = useQuery(changesQuery(projectId))
  const [last] = data?.data ?? []
  if (!last) return null
  return (
    <Text size="sm" c="dimmed">
      <TimeIn
        text={(time) => w.projectSettings.changedBy(time, whoOf(last, w), namesOf(last.fields, w))}
        at={last.at}
      />
    </Text>
  )
}
