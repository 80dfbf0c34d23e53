import { Textarea, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useWords } from '../../words/words.tsx'
import { textOrNull } from './draft.ts'
import { Section, type SectionProps } from './section.tsx'

/** The texts of the recording page. */
export function Texts({ values, set, errors, onStep }: SectionProps): ReactNode {
  const { fields, help, sections, nameNeeded } = useWords().projectSettings
  return (
    <Section id="texts" title={sections.texts}>
      <TextInput
        label={fields.name}
        description={help.name}
        value={values.name}
        onChange={({ currentTarget }) => set('name', currentTarget.value)}
        onFocus={() => onStep('welcome')}
        required
        maxLength={200}
        error={values.name.trim() === '' ? nameNeeded : errors.get('name')}
      />
      <TextInput
        label={fields.title}
        description={help.title}
        value={values.title ?? ''}
        onChange={({ currentTarget }) => set('title', textOrNull(currentTarget.value))}
        onFocus={() => onStep('welcome')}
        maxLength={200}
        error={errors.get('title')}
      />
      <Textarea
        label={fields.description}
        description={help.description}
        value={values.description ?? ''}
        onChange={({ currentTarget }) => set('description', textOrNull(currentTarget.value))}
        onFocus={() => onStep('welcome')}
        autosize
        minRows={3}
        maxRows={12}
        maxLength={5000}
        error={errors.get('description')}
      />
      <Textarea
        label={fields.finish_text}
        description={help.finish_text}
        value={values.finish_text ?? ''}
        onChange={({ currentTarget }) => set('finish_text', textOrNull(currentTarget.value))}
        onFocus={() => onStep('thanks')}
        autosize
        minRows={2}
        maxRows={12}
        maxLength={5000}
        error={errors.get('finish_text')}
      />
      <TextInput
        type="url"
        label={fields.privacy_url}
        description={help.privacy_url}
        placeholder="https://"
        value={values.privacy_url ?? ''}
        onChange={({ currentTarget }) => set('privacy_url', textOrNull(currentTarget.value))}
        onFocus={() => onStep('welcome')}
        maxLength={2048}
        error={errors.get('privacy_url')}
      />
    </Section>
  )
}
