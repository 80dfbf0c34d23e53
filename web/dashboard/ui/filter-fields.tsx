import { Select, type SelectProps, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'

interface SelectFilterProps extends Pick<SelectProps, 'data' | 'searchable' | 'w' | 'flex'> {
  label: string
  /** Shown while nothing is chosen. */
  any: string
  value: string | null | undefined
  onChange: (value: string | null) => void
}

/**
 * Filters a list by one value, or by none. The options are rendered when someone points at the field or focuses it: the library would
 * render them hidden with the page, with their scroll area and position.
 */
export function SelectFilter({ label, any, value, ...rest }: SelectFilterProps): ReactNode {
  const [hasOptions, setHasOptions] = useState(false)
  const prepare = () => setHasOptions(true)
  return (
    <Select
      aria-label={label}
      placeholder={any}
      clearable
      value={value ?? null}
      comboboxProps={{ keepMounted: hasOptions }}
      onPointerEnter={prepare}
      onFocus={prepare}
      {...rest}
    />
  )
}

interface DayFilterProps {
  label: string
  /** Stands in the field, before the day. */
  word: string
  value: string | undefined
  min?: string | undefined
  max?: string | undefined
  onChange: (day: string) => void
}

/** The first or the last day that a list is narrowed to. */
export const DayFilter = ({ label, word, value, min, max, onChange }: DayFilterProps): ReactNode => (
  <TextInput
    type="date"
    aria-label={label}
    leftSection={<Text size="sm">{word}</Text>}
    leftSectionWidth={60}
    value={value ?? ''}
    min={min}
    max={max}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
    w={205}
  />
)
