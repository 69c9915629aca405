import { basename } from 'node:path'
import { Command } from 'commander'
import type { Loss } from '../../canonical/model/loss.ts'
import { child } from '../../wire/json-pointer.ts'
import type { Session } from '../../stores/conversation-storage.ts'
import { CommandExit } from '../exit-codes.ts'
import { addCommandExamples } from '../command-examples.ts'
import { ConversionReporter } from '../convert/conversion-reporter.ts'
import { encodeInputDocument, formatDocumentOutput } from '../convert/encode-input-document.ts'
import { FORM_SETTINGS } from '../../formats/engine/conversation-codec.ts'
import { FormatLossReporter } from '../../formats/engine/format-loss-reporter.ts'
import { toSessionLines } from '../../formats/to-session-lines.ts'
import { getExitName, type InputFault, printInputError } from '../error-output.ts'
import { getDocumentMessages, type InputDocument } from '../input/input-document.ts'
import { type FormatName, type InputFormatName, WRITABLE_FORMAT_NAMES } from '../input/input-format-names.ts'
import { readDocuments } from '../input/read-documents.ts'
import { type ByteChunks, getLineText, readLines } from '../input/bytes-to-text.ts'
import { createFormatOption, createInputFormatOption } from '../input/format-options.ts'
import { peekFirstLine } from '../input/peek-input.ts'
import { openSource } from '../input/input-source.ts'
import { openOutput } from '../output-file.ts'
import { escapeControlCharacters } from '../terminal-text.ts'
import { printLine, printNotice, printJson, type Terminal } from '../command-io.ts'
import {
  openExistingStore,
  openStore,
  STORE_OPTION,
  type StoreHandle,
  type StoreOptions,
  withStore,
} from './open-store.ts'
import { findSessionByIdPrefix } from './find-sessions.ts'
import { importTranscript } from './import-transcript.ts'

interface ExportOptions extends StoreOptions {
  readonly to?: FormatName
  readonly output?: string
}

export function createExportCommand(terminal: Terminal): Command {
  return addCommandExamples(
    new Command('export')
      .summary('write a conversation to a file')
      .description(
        'Writes a conversation with its branches and labels as JSONL, which `store import` reads. With --to, writes its current ' +
          'branch in another format.',
      )
      .argument('<id>', 'the id of the conversation, or its first characters')
      .addOption(
        createFormatOption(
          '-t, --to <format>',
          'write the current branch in this format',
          WRITABLE_FORMAT_NAMES,
        ),
      )
      .option('-o, --output <file>', 'the file to write; replaced only after everything succeeded')
      .option(...STORE_OPTION)
      .option('--json', 'print losses as JSON, one per line')
      .action((id: string, options: ExportOptions) => runExport(id, options, terminal)),
    [
      ['Move it to another machine', 'interlingua store export session_example -o weather.jsonl'],
      ['As a request for Gemini', 'interlingua store export session_example --to gemini'],
    ],
  )
}

function runExport(id: string, options: ExportOptions, terminal: Terminal): Promise<void> {
  const { store, to, output: file } = options
  return withStore(openExistingStore(store, terminal), async ({ storage }) => {
    const session = await findSessionByIdPrefix(storage, id)
    const output = await openOutput(file, terminal)
    try {
      if (to === undefined) {
        for await (const line of storage.exportSession(session.id)) await output.write(`${line.trimEnd()}\n`)
      } else {
        const messages = await storage.messages(session.id)
        const { value, losses } = encodeInputDocument({ kind: 'messages', messages }, { to })
        await new ConversionReporter(terminal, options).addConverted(losses)
        await output.write(formatDocumentOutput(value, to))
      }
      await output.commit()
    } finally {
      await output.discard()
    }
  })
}

interface ImportOptions extends StoreOptions {
  readonly from?: InputFormatName
  readonly title?: string
}

export function createImportCommand(terminal: Terminal): Command {
  return addCommandExamples(
    new Command('import')
      .summary('import conversations')
      .description(
        'Imports the output of `store export`, or requests, responses and conversations in any format, also of other libraries. Session files of agent programs are imported with their branches and sub-agents. Each document ' +
          'becomes one conversation.',
      )
      .argument('[file]', 'the input file; omit it or pass - for standard input')
      .addOption(createInputFormatOption())
      .option('--title <text>', 'the title of the imported conversations')
      .option(...STORE_OPTION)
      .option('--json', 'print JSON')
      .action((file: string | undefined, options: ImportOptions) => runImport(file, options, terminal)),
    [
      ['Import a request', 'interlingua store import request.json --title Oslo'],
      [
        'Copy from one store to another',
        'interlingua store export session_example | interlingua store import --store other.jsonl',
      ],
    ],
  )
}

async function runImport(
  file: string | undefined,
  options: ImportOptions,
  terminal: Terminal,
): Promise<void> {
  const source = await openSource(file, terminal)
  const peeked = await peekFirstLine(source.bytes)
  const printSession = (session: Session): Promise<void> =>
    options.json === true
      ? printJson(terminal, session)
      : printLine(terminal, escapeControlCharacters(session.id))
  let exit: CommandExit | undefined
  const reportFault = async (found: InputFault): Promise<CommandExit> => {
    terminal.signal.throwIfAborted()
    await printInputError(found, options.json === true, terminal)
    return (exit ??= new CommandExit(getExitName(found.error)))
  }
  if (isExportedSession(peeked.firstLine))
    return withStore(openStore(options.store, terminal), async ({ storage }) => {
      const session = await storage
        .importSession(readLineTexts(peeked.bytes, terminal))
        .catch(async (error: unknown) => {
          throw await reportFault({ file: source.name, error })
        })
      const { untrustedLogEntries } = session
      if (untrustedLogEntries > 0) await printNotice(terminal, describeUntrustedEntries(untrustedLogEntries))
      await printSession(session)
    })
  const formatOptions = options.from === undefined ? {} : { from: options.from }
  let store: StoreHandle | undefined
  try {
    for await (const found of readDocuments({ ...source, bytes: peeked.bytes }, formatOptions, terminal)) {
      if (found.document === undefined) {
        await reportFault(found)
        continue
      }
      const losses = [...found.document.losses, ...listOmittedSettings(found.document)]
      if (losses.length > 0 && found.document.transcript === undefined)
        await new ConversionReporter(terminal, options).addConverted(losses)
      // Opened only now: input that cannot be read must not create a store.
      store ??= await openStore(options.store, terminal)
      const { transcript } = found.document
      if (transcript !== undefined) {
        for (const session of await importTranscript(transcript, store.storage, options, terminal))
          await printSession(session)
        continue
      }
      const { content, conversation } = found.document
      if (conversation !== undefined) {
        const { title = conversation.title ?? basename(source.name) } = options
        const imported = store.storage.importSession(toSessionLines(conversation, { title }))
        const session = await imported.catch((error: unknown) => reportFault({ ...found, error }))
        if (!(session instanceof CommandExit)) await printSession(session)
        continue
      }
      const session = await store.storage.createSession({ title: options.title ?? basename(source.name) })
      await store.storage.append(session.id, getDocumentMessages(content))
      await printSession(session)
    }
  } finally {
    await store?.storage.close()
  }
  if (exit !== undefined) throw exit
}

/** Reports the tools and settings of a request: a session has only messages. */
function listOmittedSettings({ content, detected }: InputDocument): readonly Loss[] {
  if (content.kind !== 'request') return []
  const reporter = new FormatLossReporter(detected.name)
  for (const key of Object.keys(content.request))
    if (!FORM_SETTINGS.has(key)) reporter.add('request-field', child(undefined, key))
  return reporter.losses
}

/** Describes the entries of the tool call log that an import does not trust, and what follows from it. */
function describeUntrustedEntries(count: number): string {
  return `${count} ${count === 1 ? 'entry' : 'entries'} of the tool call log of this export ${count === 1 ? 'is' : 'are'} not trusted: open tool calls wait for approval again, and interrupted ones are not run again.`
}

function isExportedSession(line: string): boolean {
  return /^\{\s*"interlingua"\s*:\s*\d+\s*,\s*"session"/.test(line)
}

async function* readLineTexts(bytes: ByteChunks, { signal }: Terminal): AsyncGenerator<string> {
  for await (const line of readLines(bytes, signal)) yield getLineText(line)
}
