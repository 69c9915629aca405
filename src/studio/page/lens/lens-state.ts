import { type ReadonlySignal, signal } from '@preact/signals'
import type { DialectName } from '../../../dialects/engine/dialect.ts'
import { readInputFiles } from './input-files.ts'
import { EMPTY_ANALYSIS, type LensAnalysis, type LensQuestion, type LensRepair } from './lens-analysis.ts'
import { lensSamples } from './lens-samples.ts'
import { callWorker, WorkerError } from './worker-client.ts'

/** The input of the lens: text, or files with their names. It survives a switch to another view. */
export interface LensInputState {
  readonly question: LensQuestion
  /** The name of a dropped file. */
  readonly fileName?: string
}

const input = signal<LensInputState>({ question: { input: lensSamples[0]?.text ?? '', models: {} } })
const analysis = signal<LensAnalysis | undefined>(undefined)
const busy = signal(false)
const repaired = signal<LensRepair['repairs']>([])

export const lensInput: ReadonlySignal<LensInputState> = input
export const lensAnalysis: ReadonlySignal<LensAnalysis | undefined> = analysis
/** True while an input is analyzed. */
export const isAnalyzing: ReadonlySignal<boolean> = busy
/** The changes of the last repair; empty after the next edit. */
export const lastRepairs: ReadonlySignal<LensRepair['repairs']> = repaired

/** The time without an edit after which the input is analyzed. */
const QUIET_MS = 200

let timer: ReturnType<typeof setTimeout> | undefined
let version = 0

/** Opens another input. */
export function openInput(text: LensQuestion['input'], fileName?: string): void {
  repaired.value = []
  const { models } = input.value.question
  input.value = { question: { input: text, models }, ...(fileName !== undefined && { fileName }) }
  analyzeSoon(0)
}

/** Changes the text, as its reader types. */
export function editText(text: string): void {
  repaired.value = []
  const { choice: _choice, ...question } = input.value.question
  input.value = { question: { ...question, input: text } }
  analyzeSoon(QUIET_MS)
}

/** Chooses one of the conversations of the input, or its format. */
export function changeQuestion(change: Partial<Pick<LensQuestion, 'choice' | 'from'>>): void {
  input.value = { ...input.value, question: { ...input.value.question, ...change } }
  analyzeSoon(0)
}

/** Chooses the model of a target; an empty name restores the default. */
export function chooseModel(name: DialectName, model: string): void {
  const { [name]: _previous, ...models } = input.value.question.models
  const question = { ...input.value.question, models: model === '' ? models : { ...models, [name]: model } }
  input.value = { ...input.value, question }
  analyzeSoon(QUIET_MS)
}

/** Opens dropped or chosen files. */
export async function openFiles(files: readonly File[]): Promise<void> {
  const result = await readInputFiles(files)
  if ('error' in result) analysis.value = { ...EMPTY_ANALYSIS, error: result.error }
  else openInput(result.input, result.name)
}

/** Repairs the input in one step. An edit meanwhile has precedence. */
export async function repairInput(): Promise<void> {
  const before = input.value
  try {
    const { text, repairs } = await callWorker('repair')
    if (input.value !== before) return
    openInput(text)
    repaired.value = repairs
  } catch (error) {
    analysis.value = { ...EMPTY_ANALYSIS, error: describeFailure(error) }
  }
}

/** Analyzes the input unless it has been analyzed. */
export function ensureAnalysis(): void {
  if (analysis.value === undefined && !busy.value) analyzeSoon(0)
}

function analyzeSoon(delayMs: number): void {
  clearTimeout(timer)
  busy.value = true
  timer = setTimeout(() => void analyze(++version), delayMs)
}

async function analyze(current: number): Promise<void> {
  let result: LensAnalysis | undefined
  try {
    result = await callWorker('analyze', input.value.question)
  } catch (error) {
    result = { ...EMPTY_ANALYSIS, error: describeFailure(error) }
  }
  // A later edit has its own analysis.
  if (current !== version) return
  analysis.value = result
  busy.value = false
}

/** Returns an error of the worker as plain data. */
export function describeFailure(error: unknown): NonNullable<LensAnalysis['error']> {
  if (error instanceof WorkerError) return error.details
  return { code: 'internal', message: 'The input could not be analyzed.', hint: 'Try a smaller input.' }
}
