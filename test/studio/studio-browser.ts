import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import type { ConversationStorage } from '../../src/stores/conversation-storage.ts'
import { memoryStorage } from '../../src/stores/in-memory/memory-storage.ts'
import { startStudio, type StudioServer } from '../../src/studio/start-studio.ts'
import { builtStudioPage } from '../stores/built-package.ts'

const CANDIDATES = [
  process.env['CHROMIUM_PATH'] ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

const executablePath = CANDIDATES.find((path) => path !== '' && existsSync(path))

/** Places, and the heading that a place shows when it is complete. */
export const PLACES = [
  ['#/chat', 'Ask any model'],
  ['#/chat/sample-review', 'Code review with Markdown'],
  ['#/conversations/sample-weather', 'Weather, asked of three models'],
  ['#/lens', 'Lens'],
  ['#/streams', 'Streams'],
  ['#/gateway', 'Gateway'],
] as const

/** A busy machine may take long for a step. */
const STEP_TIMEOUT_MS = 60_000

export interface PageOptions {
  readonly colorScheme?: 'light' | 'dark'
  readonly viewport?: { readonly width: number; readonly height: number }
  /** True to run scripts of the test that the content security policy would refuse. */
  readonly bypassCSP?: boolean
}

/** A page with what went wrong in it, and the addresses it requested. */
export interface WatchedPage {
  readonly page: Page
  readonly problems: string[]
  readonly requested: string[]
}

/** Describes tests that share a studio and a browser, which they open and close. They are skipped if there is no browser. */
export function describeInBrowser(name: string, define: (studio: StudioBrowser) => void): void {
  const hint = 'needs Chromium: `apt-get install chromium`, or set CHROMIUM_PATH'
  describe.skipIf(executablePath === undefined)(`${name} in a browser (${hint})`, () => {
    define(new StudioBrowser())
  })
}

/** The studio with its built page, and a browser. */
export class StudioBrowser {
  readonly storage: ConversationStorage = memoryStorage()
  #browser: Browser | undefined
  #studio: StudioServer | undefined

  async open(): Promise<void> {
    const args = ['--no-sandbox', '--disable-gpu']
    this.#browser = await chromium.launch({ executablePath: executablePath ?? '', args })
    await this.#startStudio(0)
  }

  async #startStudio(port: number): Promise<void> {
    this.#studio = await startStudio({ storage: this.storage, port, pageFolder: await builtStudioPage() })
  }

  /** The URL with the token. */
  get url(): string {
    return this.#studio?.url ?? ''
  }

  /** The URL without the token. */
  get base(): string {
    return this.url.replace(/#.*/, '')
  }

  /** Opens the studio in a new profile, at a place such as `#/chat`. */
  async newPage(place = '#/', options: PageOptions = {}): Promise<WatchedPage> {
    if (this.#browser === undefined) throw new Error('The browser is not open')
    const context = await this.#browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
    context.setDefaultTimeout(STEP_TIMEOUT_MS)
    const page = await context.newPage()
    const watched: WatchedPage = { page, problems: [], requested: [] }
    page.on('pageerror', (error) => watched.problems.push(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error') watched.problems.push(message.text())
    })
    page.on('request', (request) => watched.requested.push(request.url()))
    await page.goto(this.url)
    await page.getByRole('navigation').waitFor()
    if (place !== '#/') await page.goto(this.base + place)
    return watched
  }

  /** Starts the studio again, at the same address, with another token. */
  async restart(whileStopped: () => Promise<void>): Promise<void> {
    const { port } = new URL(this.url)
    await this.#studio?.close()
    await whileStopped()
    await this.#startStudio(Number(port))
  }

  /** Closes the pages of a test: an open page asks the studio for news. */
  async closePages(): Promise<void> {
    await Promise.all(this.#browser?.contexts().map((context) => context.close()) ?? [])
  }

  async close(): Promise<void> {
    await this.#browser?.close()
    await this.#studio?.close()
  }
}

/** Sends a message in the chat and waits until the model has answered. */
export async function sendMessage(page: Page, text: string): Promise<void> {
  const field = page.getByRole('textbox', { name: 'Message' })
  await field.fill(text)
  await field.press('Enter')
  // The button has its name before the run starts, too.
  await expect.poll(() => field.inputValue(), { timeout: STEP_TIMEOUT_MS }).toBe('')
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
}
