// @ts-check
// Takes pictures of the studio with its samples, in both themes and two sizes: `node scripts/take-screenshots.js <folder>`.
// Needs a build and Chromium.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const [folder = 'screenshots'] = process.argv.slice(2)
const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } }
const THEMES = /** @type {const} */ (['light', 'dark'])

/** @typedef {import('playwright-core').Page} Page */

/** What is done in each view before its picture is taken. @type {Record<string, (page: Page) => Promise<void>>} */
const VIEWS = {
  chat: async (page) => {
    await page.goto(`${base}#/chat`)
    await page.getByRole('button', { name: 'Remind me to call Ada' }).click()
    await page.getByRole('button', { name: 'Approve' }).waitFor()
  },
  start: async (page) => {
    await page.goto(`${base}#/chat`)
    await page.getByText('Ask any model').waitFor()
  },
  branches: async (page) => {
    await page.goto(`${base}#/conversations/sample-weather`)
    await page.getByText('pack a coat').last().waitFor()
  },
  compare: async (page) => {
    await page.goto(`${base}#/conversations/sample-weather`)
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByText('share their first').waitFor()
  },
  markdown: async (page) => {
    await page.goto(`${base}#/chat/sample-review`)
    await page.getByRole('table').waitFor()
  },
  hostile: async (page) => {
    await page.goto(`${base}#/chat/sample-hostile`)
    await page.getByText('inline handler').waitFor()
  },
  lens: async (page) => {
    await page.goto(`${base}#/lens`)
  },
  streams: async (page) => {
    await page.goto(`${base}#/streams`)
  },
  gateway: async (page) => {
    await page.goto(`${base}#/gateway`)
    await page.getByRole('row').nth(14).waitFor()
  },
}

const temporary = await mkdtemp(join(tmpdir(), 'interlingua-screenshots-'))
const command = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
const store = join(temporary, 'store.jsonl')
const options = ['--json', '--no-open', '--port', '0', '--store', store]
const studio = spawn(process.execPath, [command, 'studio', ...options])
studio.stderr.pipe(process.stderr)
const [line] = await once(studio.stdout, 'data')
const { url } = JSON.parse(String(line))
const base = url.slice(0, url.indexOf('#'))
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
await mkdir(folder, { recursive: true })
try {
  for (const [size, viewport] of Object.entries(SIZES))
    for (const colorScheme of THEMES) {
      const context = await browser.newContext({ viewport, colorScheme })
      for (const [name, prepare] of Object.entries(VIEWS)) {
        const page = await context.newPage()
        await page.goto(url)
        await prepare(page)
        await page.waitForTimeout(300)
        await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`) })
        await page.close()
      }
      await context.close()
    }
} finally {
  await browser.close()
  studio.kill()
  await rm(temporary, { recursive: true, force: true })
}
