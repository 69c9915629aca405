import { basename } from 'node:path'
import { Command } from 'commander'
import type { Session } from '../../stores/contract.ts'
import { Exit } from '../exit-codes.ts'
import { examples } from '../examples.ts'
import { Report } from '../convert/report.ts'
import { writeContent } from '../convert/write.ts'
import { exitOf } from '../failure.ts'
import { type Fault, tellFault } from '../fault.ts'
import { type FormName, messagesOf } from '../input/document.ts'
import { documentsOf } from '../input/documents.ts'
import { linesOf } from '../input/lines.ts'
import { formOption } from '../input/options.ts'
import { peek } from '../input/peek.ts'
import { openSource } from '../input/source.ts'
import { openOutput } from '../output-file.ts'
import { printable } from '../paint.ts'
import { say, sayJson, type Terminal } from '../terminal.ts'
import { openExisting, openStore, STORE_OPTION, withStore } from './open.ts'
import { findSession } from './sessions.ts'

interface ExportOptions {
  readonly store?: string
  readonly to?: FormName
  readonly output?: string
  readonly json?: boolean
}

export function exportCommand(terminal: Terminal): Command {
  return examples(
    new Command('export')
      .summary('write a conversation to a file')
      .description(
        'Writes a conversation with its branches and labels as lines of JSON, which `store import` takes; or with --to its ' +
          'current line in the form of a provider.',
      )
      .argument('<id>', 'its id, or the beginning of it')
      .addOption(formOption('-t, --to <form>', 'the form of a provider, or our stored form'))
      .option('-o, --output <file>', 'the file to write: it appears whole or not at all')
      .option(...STORE_OPTION)
      .option('--json', 'tell losses as JSON, one a line')
      .action((id: string, options: ExportOptions) => exportSession(id, options, terminal)),
    [
      ['To take it elsewhere', 'interlingua store export session_example -o weather.jsonl'],
      ['As a request for Gemini', 'interlingua store export session_example --to gemini'],
    ],
  )
}

function exportSession(id: string, options: ExportOptions, terminal: Terminal): Promise<void> {
  const { store, to, output: file, json } = options
  return withStore(openExisting(store, terminal), async ({ storage }) => {
    const session = await findSession(storage, id)
    const output = await openOutput(file, terminal)
    try {
      if (to === undefined) {
        for await (const line of storage.exportSession(session.id)) await output.write(`${line.trimEnd()}\n`)
      } else {
        const messages = await storage.path(session.id)
        const { value, losses } = writeContent({ kind: 'messages', messages }, { to })
        await new Report(terminal, json === true).converted(losses, true)
        await output.write(`${JSON.stringify(value, null, 2)}\n`)
      }
      await output.commit()
    } finally {
      await output.discard()
    }
  })
}

interface ImportOptions {
  readonly store?: string
  readonly title?: string
  readonly json?: boolean
}

export function importCommand(terminal: Terminal): Command {
  return examples(
    new Command('import')
      .summary('take conversations in')
      .description(
        'Takes in what `store export` wrote, or requests, responses and stored conversations of any form: each becomes a ' +
          'conversation of its own.',
      )
      .argument('[file]', 'the file to read; standard input where it is left out or -')
      .option('--title <text>', 'the title of what is taken in')
      .option(...STORE_OPTION)
      .option('--json', 'as JSON')
      .action((file: string | undefined, options: ImportOptions) => importFile(file, options, terminal)),
    [
      ['A request that someone sent', 'interlingua store import request.json --title Oslo'],
      [
        'From one store to another',
        'interlingua store export session_example | interlingua store import --store other.jsonl',
      ],
    ],
  )
}

function importFile(file: string | undefined, options: ImportOptions, terminal: Terminal): Promise<void> {
  return withStore(openStore(options.store, terminal), async ({ storage }) => {
    const source = await openSource(file, terminal)
    const peeked = await peek(source.bytes)
    const done = async (session: Session): Promise<void> => {
      if (options.json === true) await sayJson(terminal, session)
      else await say(terminal, printable(session.id))
    }
    let exit: Exit | undefined
    const refuse = async (found: Fault): Promise<Exit> => {
      terminal.signal.throwIfAborted()
      await tellFault(found, options, terminal)
      return (exit ??= new Exit(exitOf(found.error)))
    }
    if (isExport(peeked.line)) {
      try {
        return await done(await storage.importSession(texts(peeked.bytes, terminal)))
      } catch (error) {
        throw await refuse({ file: source.name, error })
      }
    }
    for await (const found of documentsOf({ ...source, bytes: peeked.bytes }, {}, terminal)) {
      if (found.document === undefined) {
        await refuse(found)
        continue
      }
      const session = await storage.createSession({ title: options.title ?? basename(source.name) })
      await storage.append(session.id, messagesOf(found.document.content))
      await done(session)
    }
    if (exit !== undefined) throw exit
  })
}

function isExport(line: string): boolean {
  return /^\{\s*"interlingua"\s*:\s*\d+\s*,\s*"session"/.test(line)
}

async function* texts(bytes: AsyncIterable<Uint8Array>, { signal }: Terminal): AsyncGenerator<string> {
  for await (const { text } of linesOf(bytes, signal)) yield text
}
