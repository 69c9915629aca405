import { audio, file, image, type InterlinguaError, video } from 'interlingua'
import { mediaFromBlob, mediaTypeOf } from 'interlingua/content'
import { describe, expect, test } from 'vitest'

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0])

describe('media parts', () => {
  test('[r113] an image comes from a URL, a data URI, base64 or bytes', () => {
    const inline = { kind: 'base64', data: 'iVBORw0KGgoAAAAA', mediaType: 'image/png' }
    expect(image('data:image/png;base64,iVBORw0KGgoAAAAA').source).toEqual(inline)
    expect(image({ data: 'iVBORw0KGgoAAAAA' }).source).toEqual(inline)
    expect(image(png).source).toEqual(inline)
    expect(image(new URL('https://example.com/x.png'), { detail: 'high' })).toEqual({
      type: 'image',
      source: { kind: 'url', url: 'https://example.com/x.png' },
      detail: 'high',
    })
    expect(image('iVBORw0KGgoAAAAA').source).toEqual(inline)
    for (const bytes of [
      Buffer.from(png),
      png.buffer,
      new DataView(png.buffer),
      new Uint16Array(png.buffer),
    ]) {
      expect(image(bytes).source).toEqual(inline)
      expect(image({ data: bytes }).source).toEqual(inline)
    }
    expect(image(Uint8Array.of(1, 2, 3), { mediaType: 'image/x-raw' }).source).toMatchObject({
      mediaType: 'image/x-raw',
    })
    expect(image('data:image/svg+xml;utf8,<svg/>').source).toEqual({
      kind: 'url',
      url: 'data:image/svg+xml;utf8,<svg/>',
    })
  })

  test.each([
    ['a path', '/a.png', 'invalid-value', 'interlingua/node'],
    ['a relative path', 'images/a.png', 'invalid-value', 'interlingua/node'],
    ['a path of Windows', 'C:\\a.png', 'invalid-value', 'interlingua/node'],
    ['a file URL', 'file:///a.png', 'invalid-value', 'interlingua/node'],
    ['a file URL object', new URL('file:///a.png'), 'invalid-value', 'interlingua/node'],
    ['the URL of a blob', 'blob:https://example.com/1', 'invalid-value', 'interlingua/node'],
    ['a relative url', { url: '/a.png' }, 'invalid-value', 'interlingua/node'],
    ['base64 of no known format', 'AAAAAAAAAAAA', 'invalid-value', 'mediaType'],
    ['text', 'Once upon a time', 'invalid-value', '{ text }'],
    ['nothing', undefined, 'invalid-type', 'Buffer'],
    ['null', null, 'invalid-type', 'Buffer'],
    ['a number', 5, 'invalid-type', 'Buffer'],
    ['a list of numbers', [137, 80], 'invalid-type', 'Buffer'],
    ['data that is a list', { data: [137, 80] }, 'invalid-type', 'Buffer'],
    ['a Buffer that was stringified', { type: 'Buffer', data: [137, 80] }, 'invalid-type', 'Buffer'],
    ['other fields', { path: '/a.png' }, 'invalid-type', 'Buffer'],
    ['a Blob', new Blob([png]), 'invalid-type', 'mediaFromBlob'],
    ['data that is a Blob', { data: new Blob([png]) }, 'invalid-type', 'mediaFromBlob'],
  ])('media is not made of %s', (_name, input, code, hint) => {
    for (const build of [image, audio, video, file]) {
      const refused = { code, hint: expect.stringContaining(hint) as string }
      expect(() => build(input as never)).toThrow(expect.objectContaining(refused) as InterlinguaError)
    }
  })

  test('a Blob or File becomes the part of its media type', async () => {
    expect(await mediaFromBlob(new File([png], 'cat.png'))).toEqual({
      type: 'image',
      name: 'cat.png',
      source: { kind: 'base64', data: 'iVBORw0KGgoAAAAA', mediaType: 'image/png' },
    })
    const types = await Promise.all(
      ['audio/x-own', 'video/x-own', 'text/csv;charset=utf-8', ''].map((type) =>
        mediaFromBlob(new Blob(['a,b'], { type })),
      ),
    )
    expect(types.map(({ type }) => type)).toEqual(['audio', 'video', 'file', 'file'])
    expect(types.map(mediaTypeOf)).toEqual([
      'audio/x-own',
      'video/x-own',
      'text/csv',
      'application/octet-stream',
    ])
    expect(await mediaFromBlob(new Blob(['x']), { mediaType: 'image/x-own', name: 'a' })).toMatchObject({
      type: 'image',
      name: 'a',
    })
  })
})
