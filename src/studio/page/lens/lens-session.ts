import type { Loss } from '../../../canonical/model/loss.ts'
import { dialects } from '../../../dialects/dialects.ts'
import type { DialectName } from '../../../dialects/engine/dialect.ts'
import { omitUndefined } from '../../../wire/json.ts'
import { findProblems, repairDocument } from './check-document.ts'
import { writeCopy } from './write-copy.ts'
import {
  createComparedValues,
  type EncodedTarget,
  encodeTarget,
  groupIndexes,
  toCanonicalJson,
} from './encode-target.ts'
import { type JsonLine, JsonLines, LINES_AT_ONCE } from './json-lines.ts'
import {
  EMPTY_ANALYSIS,
  type LensAnalysis,
  type LensPane,
  type LensQuestion,
  type LensRepair,
  toLensError,
} from './lens-analysis.ts'
import { type LensDocument, listLensMessages } from './lens-document.ts'
import { readLenientJson } from './lenient-json.ts'
import { type InputText, readInput } from './read-input.ts'
import type { CopyForm } from './lens-targets.ts'

/** Analyzes inputs, and keeps the last one so that more of it can be shown, copied and repaired. */
export class LensSession {
  #input: InputText = ''
  #document: LensDocument | undefined
  #targets = new Map<DialectName, EncodedTarget>()
  #canonical: JsonLines = new JsonLines(null)

  /** Analyzes an input. Never throws: an error is part of the result. */
  async analyze({ input, choice = 0, from, models }: LensQuestion): Promise<LensAnalysis> {
    this.#input = input
    this.#document = undefined
    this.#targets.clear()
    let analysis = EMPTY_ANALYSIS
    if (typeof input === 'string' && input.trim() === '') return analysis
    try {
      const { title, choices, issues = [] } = readInput(input, from)
      const listed = choices.map(({ label, detail }) => ({ label, ...(detail !== undefined && { detail }) }))
      analysis = { ...analysis, title, choices: listed, issues }
      const document = await (choices[choice] ?? choices[0])?.read()
      return document === undefined ? analysis : { ...analysis, ...this.#describe(document, models) }
    } catch (error) {
      const fixes = typeof input === 'string' ? readLenientJson(input)?.fixes : undefined
      return { ...analysis, error: toLensError(error), ...(fixes?.length && { syntaxFixes: fixes }) }
    }
  }

  #describe(document: LensDocument, models: LensQuestion['models']): Partial<LensAnalysis> {
    this.#document = document
    const { content, detections, losses, stream } = document
    const canonicalValue = toCanonicalJson(content)
    const values = createComparedValues(document, canonicalValue)
    const names = Object.keys(dialects) as DialectName[]
    const panes = names.map((name): LensPane => {
      try {
        const encoded = encodeTarget(document, name, values, models[name])
        this.#targets.set(name, encoded)
        return toPane(encoded, name)
      } catch (error) {
        return { name, lineCount: 0, lines: [], losses: [], lossLines: [], error: toLensError(error) }
      }
    })
    return {
      kind: content.kind,
      detections,
      isStream: stream !== undefined,
      messageCount: listLensMessages(content).length,
      importLosses: losses,
      problems: findProblems(document),
      canonical: this.#describeCanonical(
        canonicalValue,
        panes.flatMap((pane) => pane.losses),
      ),
      panes,
    }
  }

  /** Describes the canonical form, with the losses of all targets at their paths. */
  #describeCanonical(value: unknown, losses: readonly Loss[]): LensPane {
    const unmarked = new JsonLines(value)
    // A value that an encoder adds does not exist in the canonical form: its loss is shown where it would be.
    const found = losses.map(({ path }) => unmarked.findLine(path))
    this.#canonical = new JsonLines(value, { losses: groupIndexes(found.map(({ pointer }) => pointer)) })
    return toPane({ body: value, lines: this.#canonical, losses, lossLines: found.map(({ line }) => line) })
  }

  /** Returns further lines of a target, or of the canonical form. */
  readLines(name: DialectName | undefined, start: number, count: number): readonly JsonLine[] {
    const lines = name === undefined ? this.#canonical : this.#targets.get(name)?.lines
    return lines?.read(start, count) ?? []
  }

  /** Returns the text of a target in a form to copy; an empty text for a target without one. */
  copy(name: DialectName | undefined, form: CopyForm): string {
    if (this.#document === undefined) return ''
    const encoded = name && this.#targets.get(name)
    const target = name !== undefined && encoded !== undefined ? { name, encoded } : undefined
    return writeCopy(form, this.#document.content, target)
  }

  /** Returns the text of the stream that was chosen; an empty text for other inputs. */
  readStream(): string {
    return this.#document?.stream ?? ''
  }

  /** Repairs the input: its syntax if it is not valid JSON, otherwise its conversation. */
  repair(): LensRepair {
    if (this.#document !== undefined) return repairDocument(this.#document)
    const found = typeof this.#input === 'string' ? readLenientJson(this.#input) : undefined
    if (found === undefined) return { text: typeof this.#input === 'string' ? this.#input : '', repairs: [] }
    return { text: JSON.stringify(found.value, undefined, 2), repairs: found.fixes }
  }
}

function toPane({ model, lines, losses, lossLines }: EncodedTarget, name?: DialectName): LensPane {
  return {
    ...omitUndefined({ name, model }),
    lineCount: lines.count,
    lines: lines.read(0, LINES_AT_ONCE),
    losses,
    lossLines,
  }
}
