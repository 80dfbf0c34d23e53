import type { FormEvent } from 'react'

/** What was typed into the fields of a form, by name. Files are left out. */
export type Fields = (name: string) => string

/** Handles the submission of a form: the page is not left, and the fields are read. */
export const onSubmit =
  (submit: (field: Fields) => void) =>
  (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    submit((name) => {
      const value = form.get(name)
      return typeof value === 'string' ? value : ''
    })
  }
