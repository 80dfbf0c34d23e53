import { Alert, Button, Group, Radio, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { locale } from '../../words/language.ts'
import { useWords } from '../../words/words.tsx'
import { changesQuery } from '../queries.ts'
import { whoOf } from './changes.tsx'
import type { Changes, Field, Values } from './draft.ts'
import { nameOfLanguage } from './languages.ts'
import type { Conflict as ConflictError } from './save-settings.ts'
import classes from './settings.module.css'

interface Props {
  conflict: ConflictError
  mine: Changes
  isPending: boolean
  /** The fields in which the version of the other person stays. */
  onChoice: (theirs: Field[]) => void
}

const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })

/** Two people changed the same fields: who changed what, and which value stays. */
export function Conflict({ conflict, mine, isPending, onChoice }: Props): ReactNode {
  const w = useWords()
  const { conflict: words, fields: names, detect } = w.projectSettings
  const [choices, setChoices] = useState<Partial<Record<Field, 'theirs' | 'mine'>>>({})
  const { current, fields } = conflict
  const { data: changes } = useQuery(changesQuery(current.record.id))
  const shown = useRef<HTMLDivElement>(null)
  useEffect(() => {
    shown.current?.scrollIntoView({ block: 'center' })
  }, [])
  const show = (field: Field, value: Values[Field] | undefined): string => {
    if (typeof value === 'boolean') return value ? words.yes : words.no
    const parts = [value ?? ''].flat().map(String).filter(Boolean)
    if (parts.length === 0) return words.empty
    if (!field.startsWith('language')) return parts.join(', ')
    return parts.map((tag) => (tag === 'auto' ? detect : nameOfLanguage(tag))).join(', ')
  }
  return (
    <Alert ref={shown} variant="default" title={words.title} role="alert" className={classes['conflict']}>
      <Text size="sm" mb="sm">
        {words.help}
      </Text>
      <Stack gap="md">
        {fields.map((field) => {
          const change = changes?.data.find((one) => one.fields.includes(field))
          return (
            <Radio.Group
              key={field}
              label={names[field]}
              description={change && words.by(whoOf(change, w), time.format(new Date(change.at)))}
              value={choices[field] ?? null}
              onChange={(choice) =>
                setChoices({ ...choices, [field]: choice === 'mine' ? 'mine' : 'theirs' })
              }
            >
              <Stack gap={6} mt={6}>
                <Radio
                  value="theirs"
                  label={words.theirs}
                  description={<Value text={show(field, current.record[field])} />}
                />
                <Radio
                  value="mine"
                  label={words.mine}
                  description={<Value text={show(field, mine[field])} />}
                />
              </Stack>
            </Radio.Group>
          )
        })}
      </Stack>
      <Group justify="end" mt="md">
        <Button
          loading={isPending}
          disabled={fields.some((field) => choices[field] === undefined)}
          onClick={() => onChoice(fields.filter((field) => choices[field] === 'theirs'))}
        >
          {words.save}
        </Button>
      </Group>
    </Alert>
  )
}

const Value = ({ text }: { text: string }): ReactNode => (
  <Text component="span" size="sm" display="block" className={classes['value']} dir="auto">
    {text}
  </Text>
)
