import type { VNode } from 'preact'
import { CappedList, ErrorBox, FileButton, SamplePicker } from '../controls.tsx'
import { formatCount, toVisibleText } from '../format-values.ts'
import { openInStreams } from '../streams/stream-state.ts'
import type { LensAnalysis } from './lens-analysis.ts'
import {
  changeQuestion,
  editText,
  isAnalyzing,
  lastRepairs,
  lensAnalysis,
  lensInput,
  openFiles,
  openInput,
  repairInput,
} from './lens-state.ts'
import { LossList } from './loss-list.tsx'
import { ProblemList } from './problem-list.tsx'
import { lensSamples } from './lens-samples.ts'
import { callWorker } from './worker-client.ts'

/** Longer inputs are not editable: a text field of this size would be slow. */
const MAX_EDITABLE_CHARACTERS = 400_000

/** The part of a longer input that is shown. */
const SHOWN_CHARACTERS = 20_000

/** Shows the input, what it is, and what is wrong with it. */
export function InputPanel(): VNode {
  const analysis = lensAnalysis.value
  return (
    <section class="lens-input" aria-label="Input">
      <InputTools />
      <InputText />
      <div class="lens-result" aria-live="polite" aria-busy={isAnalyzing.value}>
        {analysis !== undefined && <Findings analysis={analysis} />}
      </div>
    </section>
  )
}

function InputTools(): VNode {
  return (
    <div class="row">
      <h1>Lens</h1>
      <SamplePicker samples={lensSamples} onOpen={openInput} />
      <FileButton text="Open a file" label="File to open" multiple onFiles={openFiles} />
      <button type="button" onClick={() => openInput('')}>
        Clear
      </button>
    </div>
  )
}

function InputText(): VNode {
  const { question, fileName } = lensInput.value
  const text =
    typeof question.input === 'string'
      ? question.input
      : question.input.files.map(({ path }) => path).join('\n')
  const isEditable = typeof question.input === 'string' && text.length <= MAX_EDITABLE_CHARACTERS
  return (
    <>
      <label class="visually-hidden" for="lens-text">
        Paste a request, a response, messages, a stream, a HAR file, a session file or a line of a log
      </label>
      <textarea
        id="lens-text"
        class="code"
        spellcheck={false}
        autocomplete="off"
        readOnly={!isEditable}
        placeholder="Paste or drop anything: a request, a response, messages, a stream, a HAR file, a session file of an agent, a line of a log."
        value={isEditable ? text : text.slice(0, SHOWN_CHARACTERS)}
        onInput={(event) => editText(event.currentTarget.value)}
        // A read-only field accepts no paste of its own.
        onPaste={(event) => {
          if (isEditable) return
          event.preventDefault()
          openInput(event.clipboardData?.getData('text/plain') ?? '')
        }}
      />
      {(!isEditable || fileName !== undefined) && (
        <p class="muted">
          {fileName !== undefined && `${fileName}: `}
          {formatCount(text.length, 'character', 'characters')}
          {!isEditable && '. Only the start is shown.'}
        </p>
      )}
    </>
  )
}

function Findings({ analysis }: { readonly analysis: LensAnalysis }): VNode {
  const { error, syntaxFixes, detections, messageCount, isStream, importLosses, issues } = analysis
  const [first] = detections
  const repairs = lastRepairs.value
  return (
    <>
      {first !== undefined && (
        <div class="lens-identity">
          <p>
            <strong>{first.name}</strong>{' '}
            {isStream ? 'stream' : first.kind === 'stored' ? 'messages' : first.kind}{' '}
            <span class="badge">
              {Math.round(first.certainty * 100)} %<span class="wide-only"> certain</span>
            </span>{' '}
            <span class="badge">{formatCount(messageCount, 'message', 'messages')}</span>
          </p>
          <details>
            <summary>Evidence</summary>
            <p class="muted">{first.evidence}</p>
          </details>
          <div class="row">
            {detections.length > 1 && <FormatField analysis={analysis} />}
            {isStream && (
              <button type="button" onClick={() => void playStream()}>
                Play the stream
              </button>
            )}
          </div>
        </div>
      )}
      {analysis.choices.length > 1 && <ChoiceList analysis={analysis} />}
      {error !== undefined && <ErrorBox error={error} />}
      {syntaxFixes !== undefined && <RepairButton label="Repair the JSON" />}
      <ProblemList
        problems={analysis.problems}
        isChecked={first !== undefined && analysis.kind === 'request'}
      />
      {analysis.problems.length > 0 && analysis.kind === 'request' && <RepairButton label="Repair" />}
      {repairs.length > 0 && (
        <div class="repairs">
          <strong>Repaired</strong>
          <CappedList
            items={repairs}
            max={20}
            render={(each) =>
              typeof each === 'string' ? each : `${each.rule}: ${each.action} at ${each.path}`
            }
          />
        </div>
      )}
      {importLosses.length > 0 && (
        <details>
          <summary>Not read from the input ({importLosses.length})</summary>
          <LossList losses={importLosses} />
        </details>
      )}
      {issues.length > 0 && (
        <details>
          <summary>Not read ({issues.length})</summary>
          <CappedList items={issues} max={50} render={toVisibleText} />
        </details>
      )}
    </>
  )
}

/** Plays the stream that was chosen: the input may be a file that contains several. */
async function playStream(): Promise<void> {
  openInStreams(await callWorker('readStream'))
}

function RepairButton({ label }: { readonly label: string }): VNode {
  return (
    <p class="row">
      <button type="button" class="primary" disabled={isAnalyzing.value} onClick={() => void repairInput()}>
        {label}
      </button>
    </p>
  )
}

function FormatField({ analysis: { detections } }: { readonly analysis: LensAnalysis }): VNode {
  return (
    <label class="row">
      <span class="muted">Read as</span>
      <select
        value={detections[0]?.name}
        onChange={(event) => changeQuestion({ from: event.currentTarget.value })}
      >
        {[...new Set(detections.map(({ name }) => name))].map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

function ChoiceList({ analysis: { choices, title } }: { readonly analysis: LensAnalysis }): VNode {
  const chosen = lensInput.value.question.choice ?? 0
  return (
    <fieldset class="choices">
      <legend>{title}</legend>
      {choices.map(({ label, detail }, index) => (
        <label key={index}>
          <input
            type="radio"
            name="lens-choice"
            checked={index === chosen}
            onChange={() => changeQuestion({ choice: index })}
          />
          <span>{toVisibleText(label)}</span>{' '}
          {detail !== undefined && <span class="muted">{toVisibleText(detail)}</span>}
        </label>
      ))}
    </fieldset>
  )
}
