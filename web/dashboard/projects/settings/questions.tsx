import { Checkbox, MultiSelect, Select, TagsInput, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useWords } from '../../words/words.tsx'
import { languageOptions } from './languages.ts'
import { Section, type SectionProps } from './section.tsx'

const AUTO = 'auto'

/** The questions of the recording page. */
export function Questions({ values, set, errors, onStep }: SectionProps): ReactNode {
  const { fields, help, sections, optional } = useWords().projectSettings
  return (
    <Section id="questions" title={sections.questions} onFocus={() => onStep('about')}>
      <Text size="sm" c="dimmed">
        {optional}
      </Text>
      <Checkbox
        label={fields.ask_name}
        checked={values.ask_name}
        onChange={({ currentTarget }) => set('ask_name', currentTarget.checked)}
      />
      <Checkbox
        label={fields.ask_email}
        checked={values.ask_email}
        onChange={({ currentTarget }) => set('ask_email', currentTarget.checked)}
      />
      <TagsInput
        label={fields.tags}
        description={help.tags}
        value={values.tags}
        onChange={(tags) => set('tags', tags)}
        maxTags={100}
        acceptValueOnBlur
        error={errors.get('tags')}
      />
    </Section>
  )
}

/** The spoken languages, and the spelling of names. */
export function Languages({ values, set, errors, onStep }: SectionProps): ReactNode {
  const { fields, help, sections, detect } = useWords().projectSettings
  const options = languageOptions([values.language, ...values.languages].filter((tag) => tag !== AUTO))
  return (
    <Section id="languages" title={sections.languages}>
      <Select
        label={fields.language}
        description={help.language}
        data={[{ value: AUTO, label: detect }, ...options]}
        value={values.language}
        onChange={(language) => language && set('language', language)}
        onFocus={() => onStep('about')}
        allowDeselect={false}
        searchable
        error={errors.get('language')}
      />
      <MultiSelect
        label={fields.languages}
        description={help.languages}
        data={options.filter(({ value }) => value !== values.language)}
        value={values.languages.filter((tag) => tag !== values.language)}
        onChange={(languages) => set('languages', languages)}
        onFocus={() => onStep('about')}
        maxValues={50}
        searchable
        hidePickedOptions
        error={errors.get('languages')}
      />
      <TagsInput
        label={fields.hotwords}
        description={help.hotwords}
        value={values.hotwords}
        onChange={(hotwords) => set('hotwords', hotwords)}
        maxTags={500}
        acceptValueOnBlur
        error={errors.get('hotwords')}
      />
    </Section>
  )
}
