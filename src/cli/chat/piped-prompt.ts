import { printNotice, type Terminal } from '../command-io.ts'
import { decodeBytes } from '../input/bytes-to-text.ts'
import { openSource, requireText } from '../input/source.ts'

/** A program that leaves standard input open would wait without knowing why. */
const WAIT_NOTICE_MS = 2000

const WAIT_NOTICE = 'Reading standard input until it ends. To send the message alone, add: < /dev/null'

/** Returns the prompt: the words of the command line, and after them the text that is piped to standard input. */
export async function readPrompt(
  words: readonly string[],
  terminal: Terminal,
  json: boolean,
): Promise<string> {
  const message = words.join(' ')
  if (terminal.stdin.isTTY === true) return message
  const notice = json ? JSON.stringify({ type: 'remark', text: WAIT_NOTICE }) : WAIT_NOTICE
  const timer = setTimeout(() => void printNotice(terminal, notice), WAIT_NOTICE_MS)
  try {
    const { name, bytes } = await openSource(undefined, terminal)
    return joinPrompt(message, await decodeBytes(requireText(bytes, name)))
  } finally {
    clearTimeout(timer)
  }
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
