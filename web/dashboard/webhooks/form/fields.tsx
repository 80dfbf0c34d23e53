import { Checkbox, Input, PasswordInput, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useWords } from '../../words/words.tsx'
import { EVENTS } from '../search.ts'
import {
  type Draft,
  fieldError,
  isUnencrypted,
  isWeak,
  type SecretChoice,
  secretError,
  urlError,
} from './draft.ts'

interface Props {
  draft: Draft
  onChange: (draft: Draft) => void
  /** The response of the API. */
  error: unknown
  /** Whether fields that were not visited show what is wrong. */
  isSubmitted: boolean
}

/** The fields of a new and of an existing webhook. They are checked while they are typed. */
export function WebhookFields({ draft, onChange, error, isSubmitted }: Props): ReactNode {
  const w = useWords()
  const { form, eventNames } = w.webhooks
  const [isVisited, setVisited] = useState(false)
  const set = (changed: Partial<Draft>) => onChange({ ...draft, ...changed })
  const wrongUrl = urlError(draft.url, form.errors)
  const showsUrlError = isSubmitted || isVisited || (draft.url !== '' && wrongUrl !== form.errors.url)
  const wrongEvents = draft.events.length === 0 && isSubmitted ? form.errors.events : null
  return (
    <Stack>
      <TextInput
        label={form.url}
        description={form.urlHelp}
        placeholder={form.urlPlaceholder}
        type="url"
        inputMode="url"
        dir="ltr"
        withAsterisk
        value={draft.url}
        onChange={({ currentTarget }) => set({ url: currentTarget.value.trim() })}
        onBlur={() => setVisited(draft.url !== '')}
        error={(showsUrlError && wrongUrl) || fieldError(error, 'url')}
        autoFocus={draft.url === ''}
      />
      {!wrongUrl && isUnencrypted(draft.url) && (
        <Text size="xs" c="dimmed" mt="-xs">
          {form.http}
        </Text>
      )}
      <Checkbox.Group
        label={form.events}
        description={form.eventsHelp}
        withAsterisk
        value={draft.events}
        onChange={(chosen) => set({ events: EVENTS.filter((event) => chosen.includes(event)) })}
        error={wrongEvents ?? fieldError(error, 'events')}
      >
        <Stack gap="xs" mt="xs">
          {EVENTS.map((event) => (
            <Checkbox key={event} value={event} label={eventNames[event]} description={event} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Choice
        label={form.payload}
        help={form.payloadHelp[draft.payload]}
        options={form.payloads}
        value={draft.payload}
        onChange={(payload) => set({ payload })}
      />
      <TextInput
        label={form.name}
        description={form.nameHelp}
        value={draft.name}
        maxLength={100}
        dir="auto"
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
        error={fieldError(error, 'name')}
      />
    </Stack>
  )
}

interface SecretProps {
  choice: SecretChoice
  kinds: readonly SecretChoice['kind'][]
  onChange: (choice: SecretChoice) => void
  error: unknown
  isSubmitted: boolean
}

export function SecretField({ choice, kinds, onChange, error, isSubmitted }: SecretProps): ReactNode {
  const w = useWords()
  const { form } = w.webhooks
  const labels = Object.fromEntries(kinds.map((kind) => [kind, form.secretKinds[kind]]))
  const typed = choice.kind === 'type' ? choice.value : null
  const wrong = typed !== null && (isSubmitted || typed !== '') ? secretError(typed, form.errors) : null
  return (
    <Stack gap="xs">
      <Choice
        label={form.secret}
        help={form.secretHelp[choice.kind]}
        options={labels as Record<SecretChoice['kind'], string>}
        value={choice.kind}
        onChange={(kind) => onChange(kind === 'type' ? { kind, value: '' } : { kind })}
      />
      {typed !== null && (
        <PasswordInput
          aria-label={form.typed}
          placeholder={form.typed}
          maxLength={256}
          autoComplete="off"
          value={typed}
          onChange={({ currentTarget }) => onChange({ kind: 'type', value: currentTarget.value })}
          error={wrong ?? fieldError(error, 'secret')}
          description={isWeak(typed) ? w.webhooks.weakHelp : undefined}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
        />
      )}
    </Stack>
  )
}

interface ChoiceProps<Value extends string> {
  label: string
  help: string
  options: Record<Value, string>
  value: Value
  onChange: (value: Value) => void
}

function Choice<Value extends string>({
  label,
  help,
  options,
  value,
  onChange,
}: ChoiceProps<Value>): ReactNode {
  return (
    <Input.Wrapper label={label} labelElement="div">
      <SegmentedControl
        aria-label={label}
        display="flex"
        w="fit-content"
        data={Object.entries<string>(options).map(([key, text]) => ({ value: key as Value, label: text }))}
        value={value}
        onChange={onChange}
      />
      <Text size="xs" c="dimmed" mt={4}>
        {help}
      </Text>
    </Input.Wrapper>
  )
}
