// @ts-check
// Takes pictures of the studio with its samples, in both themes and two sizes: `node scripts/take-screenshots.js <folder>`.
// Without a folder, it takes those of the documentation. Needs a build and Chromium.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const [folder] = process.argv.slice(2)
const DOCUMENTED = ['branches', 'lens', 'gateway']
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
  usage: async (page) => {
    await page.goto(`${base}#/conversations/sample-weather`)
    await page.getByRole('button', { name: 'Usage' }).click()
    await page.getByText('Known costs').waitFor()
  },
  search: async (page) => {
    await page.goto(`${base}#/conversations`)
    await page.getByRole('searchbox').fill('Lisbon')
    await page.locator('mark').first().waitFor()
  },
  edit: async (page) => {
    await page.goto(`${base}#/chat/sample-plan`)
    await page.getByRole('button', { name: 'Edit' }).last().click()
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
    await page.locator('.pane-cell').nth(2).waitFor()
  },
  problem: async (page) => {
    await page.goto(`${base}#/lens`)
    await page.locator('.sample-picker').selectOption('Conversation with a problem')
    await page.getByRole('button', { name: 'Repair' }).waitFor()
  },
  error: async (page) => {
    await page.goto(`${base}#/lens`)
    await page.locator('.sample-picker').selectOption('Body that was cut off')
    await page.getByRole('button', { name: 'Repair the JSON' }).waitFor()
  },
  played: async (page) => {
    await page.goto(`${base}#/streams`)
    await page.getByRole('group', { name: 'Playback' }).press('End')
  },
  streams: async (page) => {
    await page.goto(`${base}#/streams`)
    await page.locator('.step-columns').waitFor()
  },
  gateway: async (page) => {
    await page.goto(`${base}#/gateway`)
    await page.getByRole('row', { name: 'no-such-model' }).waitFor()
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

/**
 * @param {'light' | 'dark'} colorScheme
 * @param {{ width: number, height: number }} viewport
 * @param {readonly string[]} names
 * @param {(name: string) => string} toPath
 */
async function takePictures(colorScheme, viewport, names, toPath) {
  const context = await browser.newContext({ viewport, colorScheme })
  for (const name of names) {
    const page = await context.newPage()
    await page.goto(url)
    await VIEWS[name]?.(page)
    await page.waitForTimeout(400)
    await page.screenshot({ path: toPath(name) })
    await page.close()
  }
  await context.close()
}

try {
  const docs = fileURLToPath(new URL('../docs/images', import.meta.url))
  await mkdir(folder ?? docs, { recursive: true })
  if (folder === undefined)
    await takePictures('light', { width: 1240, height: 740 }, DOCUMENTED, (name) =>
      join(docs, `studio-${name}.png`),
    )
  else
    for (const [size, viewport] of Object.entries(SIZES))
      for (const theme of THEMES)
        await takePictures(theme, viewport, Object.keys(VIEWS), (name) =>
          join(folder, `${name}-${size}-${theme}.png`),
        )
} finally {
  await browser.close()
  studio.kill()
  await rm(temporary, { recursive: true, force: true })
}
