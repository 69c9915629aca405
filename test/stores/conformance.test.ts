import { describe, test } from 'vitest'
import { memoryStorage } from '../../src/stores/memory/index.ts'
import { conformance, type Subject } from '../../src/stores/testing/index.ts'

const subjects: Readonly<Record<string, Subject>> = {
  memory: { open: async () => memoryStorage(), volatile: true },
}

describe.each(Object.entries(subjects))('%s', (_name, subject) => {
  test.each(conformance(subject))('$name', ({ run }) => run())
})
