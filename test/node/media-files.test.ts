import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { InterlinguaError } from 'interlingua'
import { audioFromFile, fileFromFile, imageFromFile, videoFromFile } from 'interlingua/node'
import { afterAll, describe, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'interlingua-'))
afterAll(() => rmSync(folder, { recursive: true }))

function write(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, Buffer.from(content, 'latin1'))
  return path
}

const png = write('cat.png', '\x89PNG\r\n\x1a\nrest')
const mislabelled = write('really-a.txt', '%PDF-1.7')

describe('[r113, r114] parts from files', () => {
  test('contain the bytes, the name and the media type that the bytes show', async () => {
    expect(await imageFromFile(png)).toEqual({
      type: 'image',
      name: 'cat.png',
      source: {
        kind: 'base64',
        mediaType: 'image/png',
        data: Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1').toString('base64'),
      },
    })
    expect((await imageFromFile(pathToFileURL(png))).name).toBe('cat.png')
    expect((await audioFromFile(write('a.wav', 'RIFF\0\0\0\0WAVE'))).source).toMatchObject({
      mediaType: 'audio/wav',
    })
    expect((await videoFromFile(write('a.mp4', '\0\0\0\x20ftypisom'))).source).toMatchObject({
      mediaType: 'video/mp4',
    })
  })

  test('trust the bytes more than the extension, and the caller more than both', async () => {
    expect((await fileFromFile(mislabelled)).source).toMatchObject({ mediaType: 'application/pdf' })
    expect((await fileFromFile(write('a.csv', 'a;b'))).source).toMatchObject({ mediaType: 'text/csv' })
    expect((await fileFromFile(write('a.bin', 'abc'))).source).toMatchObject({
      mediaType: 'application/octet-stream',
    })
    expect(await fileFromFile(png, { mediaType: 'x/y', name: 'z' })).toMatchObject({
      name: 'z',
      source: { mediaType: 'x/y' },
    })
  })

  test('are rejected when the file has another type or cannot be read', async () => {
    await expect(imageFromFile(mislabelled)).rejects.toMatchObject({
      code: 'unknown-media-type',
      found: 'application/pdf',
    })
    await expect(audioFromFile(write('a.txt', 'x'))).rejects.toBeInstanceOf(InterlinguaError)
    const missing = await fileFromFile(join(folder, 'missing')).catch((error: unknown) => error)
    expect(missing).toMatchObject({ code: 'unreadable-file', found: 'ENOENT' })
    expect(JSON.stringify(missing)).not.toContain(folder)
  })
})
