import { expect, test } from 'vitest'
import { isAcceptedMediaType, normalizeMediaType } from '../../src/wire/media-type.ts'

test.each([
  ['image/png', ['image/*'], true],
  ['IMAGE/PNG; q=1', ['Image/*'], true],
  ['image/png ; q=1', ['image/PNG'], true],
  ['imagery/png', ['image/*'], false],
  ['image/png', ['image/jpeg', 'text/*'], false],
  ['image/png', [], false],
  ['', ['image/*'], false],
  [null, ['image/png'], false],
  [undefined, ['image/png'], false],
])('%j is accepted by %j: %j', (mediaType, accepted, expected) => {
  expect(isAcceptedMediaType(mediaType, accepted)).toBe(expected)
})

test.each([
  ['Image/JPG; quality=1', 'image/jpeg'],
  [' text/plain', 'text/plain'],
  ['', ''],
])('%j is normalized to %j', (given, expected) => {
  expect(normalizeMediaType(given)).toBe(expected)
})
