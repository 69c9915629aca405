import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { ErrorBox, useBriefValue } from '../controls.tsx'
import { JsonView } from './json-view.tsx'
import type { LensPane } from './lens-analysis.ts'
import { chooseModel } from './lens-state.ts'
import { LossBadges, LossList } from './loss-list.tsx'
import { type CopyForm, lensTargets, listCopyForms } from './lens-targets.ts'
import { callWorker } from './worker-client.ts'

/** Shows what one dialect would send, or the canonical form. */
export function TargetPane({
  pane,
  kind,
  isSource,
  isWide,
  onToggleWide,
}: {
  readonly pane: LensPane
  readonly kind: 'request' | 'response'
  /** True for the format of the input. */
  readonly isSource: boolean
  readonly isWide: boolean
  readonly onToggleWide: () => void
}): VNode {
  const { name, losses } = pane
  const [target, setTarget] = useState<{ readonly line: number }>()
  const title = name === undefined ? 'Canonical' : lensTargets[name].title
  return (
    <section class={`card pane${isWide ? ' wide' : ''}`} aria-label={title} data-pane={name ?? 'canonical'}>
      <header class="pane-header">
        <div class="row">
          <h2>{title}</h2>
          {isSource && <span class="badge">input format</span>}
          {name !== undefined && <LossBadges losses={losses} />}
          <button type="button" class="plain pane-size" onClick={onToggleWide} aria-pressed={isWide}>
            {isWide ? 'Smaller' : 'Larger'}
          </button>
        </div>
        <div class="row">
          {name !== undefined && kind === 'request' && <ModelField pane={pane} />}
          <CopyButtons pane={pane} kind={kind} />
        </div>
      </header>
      {name !== undefined && losses.length > 0 && (
        <details class="pane-losses">
          <summary>What changes</summary>
          <LossList losses={losses} onShow={(index) => setTarget({ line: pane.lossLines[index] ?? 0 })} />
        </details>
      )}
      {pane.error !== undefined ? (
        <ErrorBox error={pane.error} />
      ) : (
        <JsonView pane={pane} label={`Body: ${title}`} {...(target !== undefined && { target })} />
      )}
    </section>
  )
}

function ModelField({ pane: { name, model } }: { readonly pane: LensPane }): VNode | null {
  if (name === undefined) return null
  const listId = `models-${name}`
  return (
    <label class="model-field">
      <span class="visually-hidden">Model of {name}</span>
      <input
        type="text"
        list={listId}
        value={model ?? ''}
        placeholder="model"
        spellcheck={false}
        onChange={(event) => chooseModel(name, event.currentTarget.value.trim())}
      />
      <datalist id={listId}>
        {lensTargets[name].models.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </label>
  )
}

function CopyButtons({
  pane: { name },
  kind,
}: {
  readonly pane: LensPane
  readonly kind: 'request' | 'response'
}): VNode {
  const [state, showState] = useBriefValue<{ readonly form: CopyForm; readonly text: string }>()
  async function copy(form: CopyForm): Promise<void> {
    const text = await callWorker('copy', name, form)
    const result = await navigator.clipboard.writeText(text).then(
      () => 'copied',
      () => 'not allowed',
    )
    showState({ form, text: result })
  }
  return (
    <span class="copy" role="group" aria-label="Copy as">
      <span class="muted">Copy as</span>
      {listCopyForms(name, kind).map(([form, label]) => (
        <button key={form} type="button" class="plain" data-copy={form} onClick={() => void copy(form)}>
          {state?.form === form ? state.text : label}
        </button>
      ))}
      <span class="visually-hidden" role="status">
        {state?.text ?? ''}
      </span>
    </span>
  )
}
