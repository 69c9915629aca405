import type { VNode } from 'preact'
import { toVisibleText } from '../messages/to-visible-text.ts'
import type { LensError } from './lens-analysis.ts'

/** Shows an error in plain words: what happened, where, what was expected, and what to do. */
export function ErrorBox({ error }: { readonly error: LensError }): VNode {
  const { message, path, found, expected, hint, code } = error
  return (
    <div class="error-box" role="alert">
      <p>
        <strong>{toVisibleText(message)}</strong>
      </p>
      {hint !== undefined && <p>{hint}</p>}
      <dl>
        {path !== undefined && path !== '' && <Fact name="At" value={path} />}
        {found !== undefined && !message.includes(found) && <Fact name="Found" value={found} />}
        {expected !== undefined && <Fact name="Expected" value={expected} />}
        <Fact name="Code" value={code} />
      </dl>
    </div>
  )
}

function Fact({ name, value }: { readonly name: string; readonly value: string }): VNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{toVisibleText(value)}</dd>
    </div>
  )
}
