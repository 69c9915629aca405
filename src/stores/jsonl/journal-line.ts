import { createHash } from 'node:crypto'
import { InterlinguaError } from '../../errors.ts'
import { isObject, tryParseJson } from '../../wire/json.ts'
import { isRowChange } from '../in-memory/row-change-shape.ts'
import type { RowChange } from '../in-memory/in-memory-tables.ts'

/** Current version of the line format; older versions remain readable. */
const LINE_VERSION = 1

/**
 * The start of every line. `JSON.stringify` writes no spaces and escapes quotes inside of strings, so the content of an
 * entry never contains these bytes: lines are found even if a line end was damaged.
 */
export const LINE_START: Buffer = Buffer.from('{ "interlingua-journal": "')
const ENTRY_START = Buffer.from('", "entry": ')
const CHECKSUM_LENGTH = 64
const ENTRY_OFFSET = LINE_START.length + CHECKSUM_LENGTH + ENTRY_START.length
const CLOSING_BRACE = 0x7d

/** One transaction of a journal. Entries are numbered from 1 without gaps. */
export interface JournalEntry {
  readonly sequence: number
  readonly checksum: string
  readonly changes: readonly RowChange[]
}

/** Encodes a transaction as a line. The checksum covers the version, the sequence number and the changes. */
export function encodeJournalLine(sequence: number, changes: readonly RowChange[]): string {
  const entry = JSON.stringify({ version: LINE_VERSION, sequence, changes })
  return `${LINE_START.toString()}${computeChecksum(entry)}${ENTRY_START.toString()}${entry}}\n`
}

function computeChecksum(entry: string | Buffer): string {
  return createHash('sha256').update(entry).digest('hex')
}

type LineReadResult = JournalEntry | { readonly reason: string }

/** Decodes a line without its line end, or returns the reason why it cannot be read. */
function decodeJournalLine(line: Buffer): LineReadResult {
  const checksumEnd = LINE_START.length + CHECKSUM_LENGTH
  const isFramed =
    line.subarray(0, LINE_START.length).equals(LINE_START) &&
    line.subarray(checksumEnd, ENTRY_OFFSET).equals(ENTRY_START) &&
    line.at(-1) === CLOSING_BRACE
  if (!isFramed) return { reason: 'incomplete or in an unknown format' }
  const checksum = line.toString('latin1', LINE_START.length, checksumEnd)
  const text = line.subarray(ENTRY_OFFSET, -1)
  if (computeChecksum(text) !== checksum) return { reason: 'the checksum does not match' }
  // A valid checksum does not prove that this library wrote the line.
  const entry = tryParseJson(text.toString('utf8'))
  if (!isObject(entry)) return { reason: 'contains an unknown entry' }
  const { version, sequence, changes } = entry
  if (typeof version === 'number' && version > LINE_VERSION) throw unsupportedLineVersion(version)
  if (!isSequenceNumber(sequence)) return { reason: 'has no valid sequence number' }
  if (!Array.isArray(changes) || !changes.every(isRowChange)) return { reason: 'contains an unknown change' }
  return { sequence, checksum, changes }
}

/** Leaves enough numbers for later entries. */
const MAX_SEQUENCE = 2 ** 50

function isSequenceNumber(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_SEQUENCE
}

/** A part of a line: an entry, or bytes that are not an entry. */
export type LinePart = { readonly entry: JournalEntry } | { readonly reason: string; readonly bytes: Buffer }

/**
 * Splits the bytes between two line ends into its entries and everything else. Usually this is one entry. It is more if
 * a line end was damaged, or if an incomplete line precedes.
 */
export function* splitLine(line: Buffer): Generator<LinePart> {
  const first = line.indexOf(LINE_START)
  yield* toUnknownBytes(first === -1 ? line : line.subarray(0, first))
  for (let start = first; start !== -1;) {
    const next = line.indexOf(LINE_START, start + LINE_START.length)
    yield* readLinePart(line.subarray(start, next === -1 ? line.length : next))
    start = next
  }
}

function* readLinePart(bytes: Buffer): Generator<LinePart> {
  const end = bytes.lastIndexOf(CLOSING_BRACE) + 1
  const read = decodeJournalLine(bytes.subarray(0, end))
  if ('reason' in read) return yield { reason: read.reason, bytes }
  yield { entry: read }
  yield* toUnknownBytes(bytes.subarray(end))
}

/** Matches what editors add to a file: a byte order mark, carriage returns and blank lines. */
const BLANK_PATTERN = /^(\u00ef\u00bb\u00bf)?[ \t\r]*$/

function* toUnknownBytes(bytes: Buffer): Generator<LinePart> {
  if (!BLANK_PATTERN.test(bytes.toString('latin1')))
    yield { reason: 'incomplete or in an unknown format', bytes }
}

/** Tests whether bytes without a line end are the start of a line whose write a crash interrupted. */
export function isInterruptedLine(bytes: Buffer): boolean {
  const start = bytes.subarray(0, LINE_START.length)
  return start.equals(LINE_START.subarray(0, start.length)) || bytes.every((byte) => byte === 0)
}

function unsupportedLineVersion(version: number): InterlinguaError {
  const message = `The file contains lines of the unsupported version ${version}`
  return new InterlinguaError('unsupported-version', message, {
    found: `version ${version}`,
    expected: `version ${LINE_VERSION} or older`,
    hint: 'A newer version of interlingua wrote the file; update the package.',
  })
}
