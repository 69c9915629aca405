import './lens.css'
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useDropZone } from '../drop-zone.ts'
import { lensText, takeLensText } from '../navigation.ts'
import { InputPanel } from './input-panel.tsx'
import type { LensAnalysis, LensPane } from './lens-analysis.ts'
import { ensureAnalysis, lensAnalysis, openFiles, openInput } from './lens-state.ts'
import { LossBadges } from './loss-list.tsx'
import { TargetPane } from './target-pane.tsx'
import { lensTargets } from './lens-targets.ts'

/** Shows an input next to what each dialect would send. */
export function LensView(): VNode {
  const pendingText = lensText.value
  useEffect(() => {
    const text = takeLensText()
    if (text === undefined) ensureAnalysis()
    else openInput(text)
  }, [pendingText])
  const analysis = lensAnalysis.value
  const isOver = useDropZone({ onFiles: openFiles, onText: openInput })
  return (
    <div class={`lens ${isOver ? 'is-drop-target' : ''}`}>
      <InputPanel />
      <section class="lens-targets" aria-label="What each format would send">
        {analysis === undefined ? <p class="muted">Reading the input…</p> : <Targets analysis={analysis} />}
      </section>
    </div>
  )
}

function Targets({ analysis }: { readonly analysis: LensAnalysis }): VNode {
  const { canonical, panes, kind, detections } = analysis
  const [widePane, setWidePane] = useState<string>()
  if (canonical === undefined || kind === undefined)
    return (
      <p class="muted">
        The bodies of {Object.keys(lensTargets).length} formats appear as soon as the input is a conversation.
      </p>
    )
  const isSource = ({ name }: LensPane): boolean => name !== undefined && name === detections[0]?.name
  // The body of the input format repeats the input, so it comes last.
  const shown = [...panes.filter((pane) => !isSource(pane)), canonical, ...panes.filter(isSource)]
  return (
    <>
      <Overview panes={panes} />
      <p class="legend">
        <span class="legend-mark added">not in the input</span>
        <span class="legend-mark renamed">other field or form</span>
        <span class="legend-mark at-loss">loss</span>
        <span class="legend-mark at-note">note</span>
      </p>
      <div class="panes">
        {shown.map((pane) => (
          <div
            key={pane.name ?? 'canonical'}
            id={getPaneId(pane)}
            class={widePane === getPaneId(pane) ? 'pane-cell wide' : 'pane-cell'}
          >
            <TargetPane
              pane={pane}
              kind={kind}
              isSource={isSource(pane)}
              isWide={widePane === getPaneId(pane)}
              onToggleWide={() => setWidePane(widePane === getPaneId(pane) ? undefined : getPaneId(pane))}
            />
          </div>
        ))}
      </div>
    </>
  )
}

const getPaneId = ({ name }: LensPane): string => `pane-${name ?? 'canonical'}`

/** Lists the targets with their losses. A click scrolls to the body. */
function Overview({ panes }: { readonly panes: readonly LensPane[] }): VNode {
  return (
    <ul class="overview" aria-label="Losses by format">
      {panes.map((pane) => (
        <li key={pane.name}>
          <button
            type="button"
            onClick={() => document.querySelector(`#${getPaneId(pane)}`)?.scrollIntoView({ block: 'start' })}
          >
            <span>{pane.name}</span>{' '}
            {pane.error === undefined ? (
              <LossBadges losses={pane.losses} />
            ) : (
              <span class="badge danger">not possible</span>
            )}
          </button>
        </li>
      ))}
    </ul>
  )
}
