import type { Texts } from './texts.ts'
import { en } from './en.ts'
export const es: Texts = en
