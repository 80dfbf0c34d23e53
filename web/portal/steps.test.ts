import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Project } from './api.ts'
import { nextStep, previousStep, stepsBefore } from './steps.ts'

const project = (fields: Partial<Project> = {}): Project => ({
  id: 'p',
  name: 'Park',
  organisation: null,
  language: 'auto',
  languages: [],
  is_open: true,
  title: null,
  description: null,
  finish_text: null,
  ask_name: false,
  ask_email: false,
  tags: [],
  consent_text: null,
  privacy_url: null,
  accent_colors: null,
  logo_url: null,
  ...fields,
})

const CASES: [name: string, fields: Partial<Project>, steps: string[]][] = [
  ['that asks nothing', {}, ['welcome', 'microphone']],
  ['with a consent text', { consent_text: 'I agree.' }, ['welcome', 'consent', 'microphone']],
  ['that asks for the name', { ask_name: true }, ['welcome', 'about', 'microphone']],
  ['with tags', { tags: ['Trees'] }, ['welcome', 'about', 'microphone']],
  ['in one language', { language: 'nl' }, ['welcome', 'microphone']],
  ['in two languages', { language: 'nl', languages: ['de'] }, ['welcome', 'about', 'microphone']],
  [
    'with everything',
    { consent_text: 'I agree.', ask_email: true },
    ['welcome', 'consent', 'about', 'microphone'],
  ],
]
for (const [name, fields, steps] of CASES)
  test(`a project ${name} has the steps ${steps.join(', ')}`, () =>
    assert.deepEqual(stepsBefore(project(fields)), steps))

test('each step leads on to the next and back to the one before', () => {
  const all = project({ consent_text: 'I agree.', ask_name: true })
  assert.equal(nextStep(all, 'welcome'), 'consent')
  assert.equal(nextStep(all, 'microphone'), 'recording')
  assert.equal(previousStep(all, 'about'), 'consent')
  assert.equal(previousStep(project(), 'microphone'), 'welcome')
})
