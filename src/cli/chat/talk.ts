import type { ToolCallPart } from '../../canonical/model/part.ts'
import { describeCall } from '../../canonical/read/text.ts'
import type { Decision } from '../../agent/tools/decision.ts'
import { Exit } from '../exit-codes.ts'
import { exitOf, failureJson, hintOf, reasonOf } from '../failure.ts'
import { oneLine, paintFor } from '../paint.ts'
import { tell, type Terminal } from '../terminal.ts'
import type { Chat } from './chat.ts'
import type { LineReader } from './line-reader.ts'
import { slash } from './slash.ts'

/** Reads lines and answers them until there are no more. Where nobody sits in front of it, the first error ends it. */
export async function talk(chat: Chat, lines: LineReader): Promise<void> {
  const paint = paintFor(chat.terminal, chat.terminal.stdout)
  for (;;) {
    const line = await lines.next(`${paint('cyan', chat.model)}> `)
    if (line === undefined) return
    try {
      if ((await answer(line, chat, lines)) === 'quit') return
    } catch (error) {
      if (error instanceof Exit || !lines.interactive) throw error
      await tellError(error, chat)
    }
  }
}

async function answer(line: string, chat: Chat, lines: LineReader): Promise<'quit' | undefined> {
  if (line.trim() === '') return undefined
  const command = await slash(line, chat)
  if (command === 'quit') return 'quit'
  if (command === 'done') return undefined
  await lines.working((signal) => chat.say(command === 'retry' ? undefined : line, signal))
  chat.terminal.signal.throwIfAborted()
  return undefined
}

async function tellError(error: unknown, { terminal, options }: Chat): Promise<void> {
  const paint = paintFor(terminal, terminal.stderr)
  const said = `${paint('red', 'error')}: ${[reasonOf(error), hintOf(error)].filter(Boolean).join('. ')}`
  const json = JSON.stringify({ type: 'error', exit: exitOf(error), ...failureJson(error) })
  await tell(terminal, options.json ? json : said)
}

/** Asks whether a tool may run; nobody to ask means no. */
export async function allow(
  call: ToolCallPart,
  lines: LineReader | undefined,
  terminal: Terminal,
): Promise<Decision> {
  if (lines?.interactive !== true)
    return { deny: 'Nobody is there to allow it. --allow-tools allows every call.' }
  const paint = paintFor(terminal, terminal.stdout)
  const word = await lines.next(`${paint('yellow', `Run ${oneLine(describeCall(call), 200)}?`)} [y/N] `)
  return /^y(es)?$/i.test(word?.trim() ?? '') ? 'approve' : { deny: 'The user does not allow it.' }
}
