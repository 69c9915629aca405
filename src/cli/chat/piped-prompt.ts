import { printNotice, type Terminal } from '../command-io.ts'
import { decodeBytes } from '../input/bytes-to-text.ts'
import { openSource, requireUtf8 } from '../input/input-source.ts'

/** Programs that start the command often leave standard input open without ever writing to it. */
const MAX_WAIT_MS = 2000

const SILENCE_NOTICE =
  'Standard input sent nothing for 2 seconds: the message is sent alone. To send slow data, write it to a file first.'

/**
 * Returns the prompt: the words of the command line, and after them the text that is piped to standard input. A pipe that stays
 * silent is not waited for.
 */
export async function readPrompt(
  words: readonly string[],
  terminal: Terminal,
  json: boolean,
): Promise<string> {
  const message = words.join(' ')
  if (terminal.stdin.isTTY === true) return message
  if (!(await hasInput(terminal))) {
    // An open pipe would keep the process alive.
    terminal.stdin.destroy()
    await printNotice(
      terminal,
      json ? JSON.stringify({ type: 'remark', text: SILENCE_NOTICE }) : SILENCE_NOTICE,
    )
    return message
  }
  const { name, bytes } = await openSource(undefined, terminal)
  return joinPrompt(message, await decodeBytes(requireUtf8(bytes, name)))
}

const INPUT_EVENTS = ['readable', 'end', 'close', 'error'] as const

/** Returns false if standard input neither sends anything nor ends for a while. */
async function hasInput({ stdin, signal }: Terminal): Promise<boolean> {
  if (stdin.readableLength > 0 || stdin.readableEnded || stdin.destroyed || signal.aborted) return true
  return new Promise((resolve) => {
    const settle = (isReadable: boolean): void => {
      clearTimeout(timer)
      for (const event of INPUT_EVENTS) stdin.off(event, settleReadable)
      signal.removeEventListener('abort', settleReadable)
      resolve(isReadable)
    }
    const settleReadable = (): void => settle(true)
    const timer = setTimeout(settle, MAX_WAIT_MS, false)
    for (const event of INPUT_EVENTS) stdin.on(event, settleReadable)
    signal.addEventListener('abort', settleReadable)
  })
}

/** Appends data as a code block whose fence does not occur in the data, so that its end is unambiguous. */
export function joinPrompt(message: string, data: string): string {
  if (data.trim() === '') return message
  if (message.trim() === '') return data
  const runs = Array.from(data.matchAll(/`+/g), ([run]) => run.length)
  const fence = '`'.repeat(runs.reduce((longest, length) => Math.max(longest, length + 1), 3))
  const lines = data.endsWith('\n') ? data : `${data}\n`
  return `${message}\n\nStandard input:\n\n${fence}\n${lines}${fence}`
}
