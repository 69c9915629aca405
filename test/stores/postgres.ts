import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { inject } from 'vitest'
import type {} from './run-folder.ts'

/**
 * Returns the URL of the PostgreSQL server of this run; the first caller starts it. `INTERLINGUA_TEST_PG_URL`
 * overrides it.
 */
async function serverUrl(): Promise<string> {
  const given = process.env['INTERLINGUA_TEST_PG_URL']
  if (given !== undefined) return given
  const folder = inject('runFolder')
  await mkdir(folder, { recursive: true })
  const first = await mkdir(join(folder, 'started')).then(
    () => true,
    () => false,
  )
  if (first) {
    const script = join(import.meta.dirname, '../../scripts/start-postgres.js')
    const args = [script, folder, String(inject('runProcess'))]
    spawn(process.execPath, args, { detached: true, stdio: 'ignore' }).unref()
  }
  const serverFile = join(folder, 'server.json')
  for (let waited = 0; !existsSync(serverFile); waited += 50) {
    if (waited > 60_000) throw new Error('PostgreSQL did not start within a minute')
    await setTimeout(50)
  }
  const news = JSON.parse(await readFile(serverFile, 'utf8')) as { url?: string; error?: string }
  if (news.url === undefined) throw new Error(news.error)
  return news.url
}

let count = 0

/** A new database, and a function to drop it. */
export async function freshDatabase(): Promise<{ readonly url: string; drop(): Promise<void> }> {
  const url = new URL(await serverUrl())
  const name = `interlingua_test_${process.pid}_${Date.now()}_${++count}`
  const run = async (text: string): Promise<void> => {
    const client = new pg.Client({ connectionString: url.href })
    await client.connect()
    try {
      await client.query(text)
    } finally {
      await client.end()
    }
  }
  await run(`create database ${name}`)
  const own = new URL(url)
  own.pathname = `/${name}`
  return { url: own.href, drop: () => run(`drop database ${name} with (force)`) }
}
