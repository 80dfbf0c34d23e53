import type { Language } from './language.ts'

export const ja: Language = {
  code: 'ja',
  injection: { imperatives: '無視(?:し[てろな]|せよ)', earlier: 'これまで|以前|上記', instructions: '指示' },
}
