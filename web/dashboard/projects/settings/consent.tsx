import { Badge, Button, Group, Spoiler, Stack, Text, Textarea, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { MoreButton } from '../../ui/more-button.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { TimeIn } from '../../ui/time.tsx'
import { useWords } from '../../words/words.tsx'
import { consentTextsQuery } from '../queries.ts'
import { textOrNull } from './draft.ts'
import { Section, type SectionProps } from './section.tsx'
import classes from './settings.module.css'

/** The text that participants agree to, and those they agreed to before. */
export function Consent({ projectId, ...props }: SectionProps & { projectId: string }): ReactNode {
  const { values, set, errors, onStep } = props
  const { fields, help, sections } = useWords().projectSettings
  return (
    <Section id="consent" title={sections.consent} onFocus={() => onStep('consent')}>
      <Textarea
        label={fields.consent_text}
        description={help.consent_text}
        value={values.consent_text ?? ''}
        onChange={({ currentTarget }) => set('consent_text', textOrNull(currentTarget.value))}
        autosize
        minRows={3}
        maxRows={16}
        maxLength={20_000}
        error={errors.get('consent_text')}
      />
      <History
        projectId={projectId}
        shown={values.consent_text}
        onUse={(text) => set('consent_text', text)}
      />
    </Section>
  )
}

function History(props: {
  projectId: string
  /** The text in the field. */
  shown: string | null
  onUse: (text: string) => void
}): ReactNode {
  const { consent: words } = useWords().projectSettings
  const list = useInfiniteQuery(consentTextsQuery(props.projectId))
  const { data, error, refetch } = list
  const versions = data?.pages.flatMap((page) => page.data) ?? []
  return (
    <div>
      <Title order={3} size="sm">
        {words.history}
      </Title>
      <Text size="xs" c="dimmed" mb="xs">
        {data && versions.length === 0 ? words.none : words.historyHelp}
      </Text>
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      <Stack component="ul" gap="xs" className={classes['versions']}>
        {versions.map(({ version, text, created_at, current, conversations }) => (
          <li key={version}>
            <Group gap="xs" justify="space-between">
              <Text size="sm" c="dimmed">
                <TimeIn text={words.from} at={created_at} /> · {words.agreed(conversations)}
              </Text>
              {current ? (
                <Badge variant="light">{words.current}</Badge>
              ) : (
                text !== props.shown && (
                  <Button size="compact-xs" variant="subtle" onClick={() => props.onUse(text)}>
                    {words.useAgain}
                  </Button>
                )
              )}
            </Group>
            <Spoiler maxHeight={66} showLabel={words.show} hideLabel={words.hide}>
              <Text size="sm" className={classes['text']} dir="auto">
                {text}
              </Text>
            </Spoiler>
          </li>
        ))}
      </Stack>
      <MoreButton list={list} />
    </div>
  )
}
