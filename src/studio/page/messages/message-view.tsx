import './messages.css'
import type { ComponentChildren, VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { Message } from '../../../canonical/model/message.ts'
import type { MediaPart, Part, ToolCallPart, ToolResultPart } from '../../../canonical/model/part.ts'
import { describeCallError } from '../api-client.ts'
import { useBriefValue } from '../controls.tsx'
import { Alert } from '../dialog.tsx'
import { TextBlock } from './text-block.tsx'
import { toVisibleText } from '../format-values.ts'

/** A button below a message. */
export interface MessageAction {
  readonly label: string
  /** Describes the action if its label is too short for that. */
  readonly title?: string
  /** Replaces the label for a moment when the action has run. */
  readonly doneLabel?: string
  /** An error that it throws is shown below the message. */
  readonly run: (message: Message) => void | Promise<void>
  /** The roles of the messages that have the button. Default: all. */
  readonly roles?: readonly Message['role'][]
}

interface MessageViewProps {
  readonly message: Message
  readonly actions?: readonly MessageAction[]
  /** Further controls in the row of the buttons. */
  readonly controls?: ComponentChildren
  /** True while the message arrives. */
  readonly isArriving?: boolean
}

const ROLE_NAMES: { readonly [role in Message['role']]: string } = {
  system: 'System',
  developer: 'Developer',
  user: 'You',
  assistant: 'Model',
  tool: 'Tools',
}

/** Shows a message with all its parts. */
export function MessageView(props: MessageViewProps): VNode {
  const { message, actions = [], controls, isArriving = false } = props
  const { role } = message
  const shown = actions.filter(({ roles }) => roles?.includes(role) ?? true)
  return (
    <article class={`message message-${role}`} aria-label={ROLE_NAMES[role]} aria-busy={isArriving}>
      <header class="row">
        <b>{ROLE_NAMES[role]}</b>
        {message.role === 'assistant' && <AnswerFacts message={message} />}
      </header>
      {message.content.map((part, index) => (
        <PartView key={index} part={part} role={role} isArriving={isArriving} />
      ))}
      {shown.length > 0 && <MessageActions message={message} actions={shown} controls={controls} />}
    </article>
  )
}

/** The buttons below a message, and the error of the last one that failed. */
function MessageActions({ message, actions = [], controls }: MessageViewProps): VNode {
  const [error, setError] = useState('')
  const [done, showDone] = useBriefValue<MessageAction>()
  const act = async (action: MessageAction): Promise<void> => {
    setError('')
    try {
      await action.run(message)
      if (action.doneLabel !== undefined) showDone(action)
    } catch (thrown) {
      setError(`${action.label}: ${describeCallError(thrown)}`)
    }
  }
  return (
    <>
      <footer class="row message-actions">
        {actions.map((action) => (
          <button
            key={action.label}
            type="button"
            class="plain"
            title={action.title}
            onClick={() => void act(action)}
          >
            {(action.label === done?.label && action.doneLabel) || action.label}
          </button>
        ))}
        <span class="visually-hidden" role="status">
          {done?.doneLabel ?? ''}
        </span>
        {controls}
      </footer>
      <Alert text={error} />
    </>
  )
}

function AnswerFacts({ message }: { readonly message: Message & { readonly role: 'assistant' } }): VNode {
  const { origin, usage, finish } = message
  const isUnusual = finish !== undefined && finish.reason !== 'stop' && finish.reason !== 'tool-calls'
  return (
    <>
      {origin?.model !== undefined && <span class="badge">{toVisibleText(origin.model)}</span>}
      {usage !== undefined && (
        <span class="muted small">
          {usage.inputTokens.toLocaleString('en')} in, {usage.outputTokens.toLocaleString('en')} out
        </span>
      )}
      {isUnusual && <span class="badge warning">{finish.reason}</span>}
    </>
  )
}

interface PartViewProps {
  readonly part: Part
  readonly role: Message['role']
  readonly isArriving: boolean
}

function PartView({ part, role, isArriving }: PartViewProps): VNode {
  switch (part.type) {
    case 'text':
      return <TextBlock text={part.text} isMarkdown={!isArriving && isMarkdown(part.text, role)} />
    case 'reasoning':
      return (
        <details class="reasoning">
          <summary>
            Reasoning{part.summary === true && ' (summary)'}
            {part.redacted === true && ' (hidden by the provider)'}
          </summary>
          <TextBlock text={part.text} />
        </details>
      )
    case 'tool-call':
      return <ToolCallView call={part} />
    case 'tool-result':
      return <ToolResultView result={part} />
    case 'refusal':
      return <p class="refusal">{toVisibleText(part.text)}</p>
    case 'json':
      return <pre class="json">{formatJson(part.value)}</pre>
    case 'opaque':
      return <pre class="json">{formatJson(part.value)}</pre>
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      return <MediaView part={part} />
  }
}

/** Models write Markdown. Texts of users are shown as they are, unless they contain blocks of code. */
function isMarkdown(text: string, role: Message['role']): boolean {
  return role === 'assistant' || (role === 'user' && /^```/m.test(text))
}

export function ToolCallView({ call }: { readonly call: ToolCallPart }): VNode {
  const { name, arguments: parsed, rawArguments, invalidArguments } = call
  const shown = invalidArguments ?? (parsed === undefined ? (rawArguments ?? '') : formatJson(parsed))
  return (
    <div class="tool-call">
      <span class="badge">call</span> <code class="tool-name">{toVisibleText(name)}</code>
      <pre class="json">{toVisibleText(shown.slice(0, 20_000))}</pre>
    </div>
  )
}

function ToolResultView({ result }: { readonly result: ToolResultPart }): VNode {
  return (
    <div class="tool-result">
      <span class={result.isError === true ? 'badge danger' : 'badge ok'}>
        {result.isError === true ? 'error' : 'result'}
      </span>{' '}
      <code class="tool-name">{toVisibleText(result.name ?? result.callId)}</code>
      {result.content.map((part, index) => (
        <PartView key={index} part={part} role="tool" isArriving={false} />
      ))}
    </div>
  )
}

/** Types that an `img` element may show. */
const SHOWN_IMAGES = /^image\/(?:png|jpeg|gif|webp|avif)$/

function MediaView({ part }: { readonly part: MediaPart }): VNode {
  const { type, source, name } = part
  if (type === 'image' && source.kind === 'base64' && SHOWN_IMAGES.test(source.mediaType))
    return <img class="media" alt={name ?? 'Image'} src={`data:${source.mediaType};base64,${source.data}`} />
  // Remote media are not loaded: the request would tell their server that the message was read.
  const detail =
    source.kind === 'url' ? source.url : source.kind === 'base64' ? source.mediaType : source.kind
  return (
    <p class="media-link">
      <span class="badge">{type}</span> {toVisibleText(name ?? '')}{' '}
      <code>{toVisibleText(detail.slice(0, 300))}</code>
    </p>
  )
}

/** The longest JSON that is shown on one line. */
const MAX_LINE_LENGTH = 72

function formatJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2) ?? ''
  const line = text.length > 2 * MAX_LINE_LENGTH ? text : text.replaceAll(/\n */g, ' ')
  return toVisibleText(line.length > MAX_LINE_LENGTH ? text : line).slice(0, 20_000)
}
