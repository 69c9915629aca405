import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { validateValue } from 'interlingua/schema'
import { describe, expect, test } from 'vitest'
import { CONFIG_FILE_SCHEMA } from '../../src/cli/serve/config-schema.ts'
import { interlingua } from './run-command.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const { files, bin } = JSON.parse(read('package.json')) as {
  readonly files: readonly string[]
  readonly bin: { readonly interlingua: string }
}

describe('the container', () => {
  const dockerfile = read('docker/Dockerfile')

  test('copies files that exist, and starts the command of the package', () => {
    const [, sources = ''] = /^COPY (package\.json.*) \.\/$/m.exec(dockerfile) ?? []
    expect(sources.split(' ').filter((path) => !existsSync(join(root, path)))).toEqual([])
    expect(sources).toContain('package-lock.json')
    const [, entry = '[]'] = /^ENTRYPOINT (.*)$/m.exec(dockerfile) ?? []
    expect(JSON.parse(entry)).toEqual(['node', join('node_modules/interlingua', bin.interlingua)])
    expect(files).toContain('dist')
  })

  test('starts with options that exist, as a user without rights', async () => {
    const [, command = '[]'] = /^CMD (.*)$/m.exec(dockerfile.replace(/^HEALTHCHECK.*$/m, '')) ?? []
    const words = JSON.parse(command) as readonly string[]
    const { stdout } = await interlingua(['serve', '--help'])
    for (const word of words.filter((each) => each.startsWith('--'))) expect(stdout).toContain(word)
    expect(words[0]).toBe('serve')
    expect(dockerfile).toMatch(/^USER node$/m)
  })
})

describe('the compose file', () => {
  const compose = read('docker/compose.yaml')

  test('names files that exist, and variables that the configuration reads', () => {
    const [, dockerfile = ''] = /dockerfile: (\S+)/.exec(compose) ?? []
    expect(existsSync(join(root, dockerfile))).toBe(true)
    const [, config = '', target = ''] = /- \.\/(\S+):(\S+):ro/.exec(compose) ?? []
    const text = read(join('docker', config))
    expect(read('docker/Dockerfile')).toContain(target)
    const variables = [...text.matchAll(/"env": "(\w+)"/g)].map(([, name = '']) => name)
    expect(variables).toEqual(['GATEWAY_SEAL_KEY', 'DATABASE_URL'])
    for (const name of variables) expect(compose).toContain(`${name}:`)
  })

  test('has a valid configuration, which contains no key yet', async () => {
    const config: unknown = JSON.parse(read('docker/gateway.json'))
    expect((await validateValue(CONFIG_FILE_SCHEMA, config)).issues).toBeUndefined()
    expect(config).toMatchObject({ keys: [] })
  })
})

test.each(['claude-code', 'codex', 'continue', 'gemini-cli', 'ollama', 'openai', 'opencode', 'pi', 'qwen'])(
  'serve --for %s prints settings with the address',
  async (program) => {
    const { stdout, code } = await interlingua(['serve', '--for', program, '--port', '4321'])
    expect([code, stdout]).toEqual([0, expect.stringContaining('http://127.0.0.1:4321')])
    const json =
      stdout.startsWith('# ') && stdout.includes('\n{') ? stdout.slice(stdout.indexOf('\n{')) : '{}'
    expect(JSON.parse(json)).toBeTypeOf('object')
  },
)

test('serve --for an unknown program lists the known ones', async () => {
  const { stderr, code } = await interlingua(['serve', '--for', 'emacs'])
  expect(code).not.toBe(0)
  expect(stderr).toContain('claude-code')
})
