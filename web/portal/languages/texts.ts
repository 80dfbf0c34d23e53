import type { en } from './en.ts'

export type TextKey = keyof typeof en

/** Every language has every text: a missing one fails the type check. */
export type Texts = Readonly<Record<TextKey, string>>
