import { Alert, Checkbox, NumberInput, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { locale } from '../../words/language.ts'
import { useWords } from '../../words/words.tsx'
import { retentionQuery } from '../queries.ts'
import { Section, type SectionProps } from './section.tsx'

const SUGGESTED_DAYS = 90
const MAX_DAYS = 36_500
const DAY_MS = 86_400_000
const TYPING_MS = 300

const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long' })

/** When conversations are erased, in words. */
export function Retention({ projectId, ...props }: SectionProps & { projectId: string }): ReactNode {
  const { values, set, errors } = props
  const { retention: words, sections } = useWords().projectSettings
  const { retention_days: days } = values
  return (
    <Section id="retention" title={sections.retention}>
      <Checkbox
        label={words.isOn}
        checked={days !== null}
        onChange={({ currentTarget }) => set('retention_days', currentTarget.checked ? SUGGESTED_DAYS : null)}
      />
      {days === null ? (
        <Text size="sm" c="dimmed">
          {words.off}
        </Text>
      ) : (
        <>
          <NumberInput
            label={words.days}
            value={days}
            onChange={(typed) => Number(typed) >= 1 && set('retention_days', Math.floor(Number(typed)))}
            min={1}
            max={MAX_DAYS}
            clampBehavior="strict"
            allowDecimal={false}
            maw={340}
            error={errors.get('retention_days')}
          />
          <Consequences projectId={projectId} days={days} />
        </>
      )}
    </Section>
  )
}

function Consequences({ projectId, days }: { projectId: string; days: number }): ReactNode {
  const { retention: words } = useWords().projectSettings
  const [typed] = useDebouncedValue(days, TYPING_MS)
  const { data } = useQuery({ ...retentionQuery(projectId, typed), placeholderData: keepPreviousData })
  return (
    <>
      <Text size="sm" c="dimmed">
        {[
          words.today(date.format(Date.now() + days * DAY_MS)),
          data?.next_at && words.next(date.format(new Date(data.next_at))),
          words.what,
        ]
          .filter(Boolean)
          .join(' ')}
      </Text>
      {data && data.expired > 0 && (
        <Alert color="orange" role="status">
          {words.expired(data.expired, data.days)}
        </Alert>
      )}
    </>
  )
}
