import { readdir, readFile } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'

const TYPES: { readonly [extension: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Allows the page to load and run its own files, and to show images that messages contain. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  'media-src data: blob:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types dompurify lens-worker',
].join('; ')

/** Headers of every answer of the studio. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

interface PageFile {
  readonly body: Uint8Array<ArrayBuffer>
  readonly type: string
}

/** The files of the page by the path of their URL. They are read at once, so no path of a request reaches the disk. */
export type PageFiles = ReadonlyMap<string, PageFile>

/** Reads the built page. */
export async function readPageFiles(folder: string): Promise<PageFiles> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const entries = await Promise.all(
    names
      .filter((name) => extname(name) in TYPES)
      .map(async (name): Promise<[string, PageFile]> => {
        const body = new Uint8Array(await readFile(join(folder, name)))
        return [`/${name.replaceAll(sep, '/')}`, { body, type: TYPES[extname(name)] ?? '' }]
      }),
  )
  const files = new Map(entries)
  const index = files.get('/index.html')
  return index === undefined || !entries.some(([name]) => name.endsWith('.js'))
    ? NOT_BUILT
    : files.set('/', index)
}

/** The answer if the page has not been built. */
const NOT_BUILT: PageFiles = new Map([
  [
    '/',
    { body: new TextEncoder().encode('The page is not built. Run `npm run build`.'), type: 'text/plain' },
  ],
])

/** Answers a request for a file of the page. */
export function answerPageFile(files: PageFiles, path: string): Response {
  const file = files.get(path)
  if (file === undefined) return new Response('Not found', { status: 404, headers: SECURITY_HEADERS })
  // The names of scripts and styles contain a digest of their content.
  const cache = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
  return new Response(file.body, {
    headers: { ...SECURITY_HEADERS, 'content-type': file.type, 'cache-control': cache },
  })
}
