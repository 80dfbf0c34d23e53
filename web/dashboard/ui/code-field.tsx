import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'

/** The one-time code of an authenticator app. */
export const CodeField = ({ label, help }: { label: string; help: string }): ReactNode => (
  <TextInput
    name="otp"
    label={label}
    description={help}
    inputMode="numeric"
    autoComplete="one-time-code"
    required
    autoFocus
  />
)
