import { findRequestProblems } from 'interlingua/testing/providers'
import { describe, expect, test } from 'vitest'
import { subjects } from '../dialects/dialect-table.ts'

describe.each(subjects)('requests that $name accepted', ({ name, own }) => {
  test.runIf(own.request.length > 0)('have no problem', () => {
    const found = own.request.flatMap(({ name: id, body }) =>
      findRequestProblems(name, body, { isBeta: true }).map(({ rule, path }) => `${id}: ${rule} at ${path}`),
    )
    expect(found).toEqual([])
  })
})
