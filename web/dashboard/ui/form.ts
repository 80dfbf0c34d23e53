import type { FormEvent } from 'react'

/** The values of the fields of a form, by name. Files are left out. */
export type Fields = (name: string) => string

/** Handles the submission of a form: the page is not left, and the fields are read. */
export const onSubmit =
  (submit: (field: Fields, form: HTMLFormElement) => void) =>
  (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = event.currentTarget
    const data = new FormData(form)
    submit((name) => {
      const value = data.get(name)
      return typeof value === 'string' ? value : ''
    }, form)
  }
