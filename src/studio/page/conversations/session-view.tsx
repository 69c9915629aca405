import type { VNode } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { SessionTree, UsageTableRow } from '../../api/contract.ts'
import { call, connections, describeCallError } from '../api-client.ts'
import { Approvals } from '../chat/approvals.tsx'
import { chat } from '../chat/chat-state.ts'
import { ModelPicker } from '../chat/model-picker.tsx'
import { Alert } from '../dialog.tsx'
import { formatCost, formatCount, toVisibleText } from '../format-values.ts'
import type { MessageAction } from '../messages/message-view.tsx'
import { openInLens, openPageLocation } from '../navigation.ts'
import { BranchTree } from './branch-tree.ts'
import { CompareView } from './compare-view.tsx'
import { MessageLoader } from './message-loader.ts'
import { TranscriptView } from './transcript-view.tsx'
import { TreeView } from './tree-view.tsx'

type Tab = 'branches' | 'compare' | 'usage'
const TABS: readonly (readonly [tab: Tab, title: string])[] = [
  ['branches', 'Branches'],
  ['compare', 'Compare'],
  ['usage', 'Usage'],
]

interface SessionViewProps {
  readonly id: string
  /** The message to show first. */
  readonly message: string | undefined
  /** Changes when the conversation must be read anew. */
  readonly version: number
  readonly onChange: () => void
}

/** Shows one conversation: its branches, two of them side by side, and what they cost. */
export function SessionView({ id, message, version, onChange }: SessionViewProps): VNode {
  const [opened, setOpened] = useState<SessionTree | undefined>(undefined)
  const [error, setError] = useState('')
  const [selected, setSelected] = useState(message)
  const [tab, setTab] = useState<Tab>('branches')
  const loader = useMemo(() => new MessageLoader(id), [id])
  const tree = useMemo(() => new BranchTree(opened?.nodes ?? []), [opened])
  const isRunning = chat.isRunning.value

  const load = async (): Promise<void> => {
    try {
      setOpened(await call('sessions.open', { session: id }))
      setError('')
    } catch (thrown) {
      setError(describeCallError(thrown))
    }
  }
  useEffect(() => void load(), [id, isRunning, version, connections.value])
  useEffect(() => setSelected(message), [message])

  /** Asks the selected model a question of the conversation again. Returns the last message of its answer. */
  const replay = async (question: string): Promise<string | undefined> => {
    await chat.open(id)
    await chat.run({ type: 'regenerate', message: question }, question)
    return chat.session.peek() === id ? chat.opened.peek()?.head : undefined
  }

  const shown = selected ?? opened?.head
  const leaf = shown === undefined ? undefined : tree.findLeaf(shown)
  const path = useMemo(() => tree.pathTo(leaf), [tree, leaf])
  const actions: readonly MessageAction[] = [
    {
      label: 'Continue here',
      run: async ({ id: head }) => {
        await call('messages.select', { session: id, head })
        await chat.open(undefined)
        openPageLocation({ view: 'chat', item: id })
      },
    },
    {
      label: 'Fork',
      run: async ({ id: at }) => {
        const fork = await call('sessions.fork', { session: id, at })
        onChange()
        openPageLocation({ view: 'conversations', item: fork.id })
      },
    },
    {
      label: 'Replay',
      title: 'Ask the selected model again',
      roles: ['user'],
      run: async ({ id: question }) => {
        await replay(question)
        setSelected(undefined)
      },
    },
    { label: 'Lens', run: (each) => openInLens(JSON.stringify([each], null, 2)) },
  ]
  if (error !== '') return <Alert text={error} />
  if (opened === undefined) return <p class="muted">Loading…</p>
  return (
    <>
      <header class="row title-row">
        <h2>{toVisibleText(opened.session.title) || 'Untitled'}</h2>
        <span class="muted small">
          {formatCount(opened.nodes.length, 'message', 'messages')},{' '}
          {formatCount(tree.listLeaves().length, 'branch', 'branches')}
        </span>
        <span class="spacer" />
        <LensButton path={path} loader={loader} />
        <button type="button" onClick={() => openPageLocation({ view: 'chat', item: id })}>
          Open in chat
        </button>
      </header>
      <div class="row">
        <div class="tabs" role="group" aria-label="Parts of the conversation">
          {TABS.map(([each, title]) => (
            <button key={each} type="button" aria-pressed={each === tab} onClick={() => setTab(each)}>
              {title}
            </button>
          ))}
        </div>
        {isRunning && <span role="status">The model answers…</span>}
        <span class="spacer" />
        {tab === 'branches' && <ModelPicker label="Replay with" />}
      </div>
      {chat.session.value === id && (
        <>
          <Alert text={chat.error.value} />
          <Approvals />
        </>
      )}
      {tab === 'branches' && (
        <div class="branches">
          <TreeView tree={tree} head={leaf} selected={shown} onSelect={setSelected} />
          <TranscriptView tree={tree} path={path} loader={loader} actions={actions} target={shown} />
        </div>
      )}
      {tab === 'compare' && (
        <CompareView tree={tree} head={opened.head} loader={loader} isRunning={isRunning} onReplay={replay} />
      )}
      {tab === 'usage' && <UsageTable opened={opened} />}
    </>
  )
}

interface LensButtonProps {
  readonly path: readonly string[]
  readonly loader: MessageLoader
}

/** Opens the whole branch in the lens. */
function LensButton({ path, loader }: LensButtonProps): VNode {
  const [error, setError] = useState('')
  const openBranch = async (): Promise<void> => {
    try {
      await loader.load(path)
      openInLens(JSON.stringify({ messages: path.map((id) => loader.find(id)) }, null, 2))
    } catch (thrown) {
      setError(describeCallError(thrown))
    }
  }
  return (
    <>
      <button type="button" onClick={() => void openBranch()}>
        Open in lens
      </button>
      <Alert text={error} />
    </>
  )
}

/** Shows the tokens and the cost of a conversation by model, all branches included. */
function UsageTable({ opened }: { readonly opened: SessionTree }): VNode {
  const [rows, setRows] = useState<readonly UsageTableRow[]>([])
  const [error, setError] = useState('')
  useEffect(
    () =>
      void call('usage.read', { session: opened.session.id }).then(setRows, (thrown) =>
        setError(describeCallError(thrown)),
      ),
    [opened],
  )
  const known = rows.flatMap(({ cost }) => cost ?? [])
  return (
    <div class="table-box usage" tabIndex={0} role="region" aria-label="Usage">
      <Alert text={error} />
      <table>
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th scope="col">Answers</th>
            <th scope="col">Input</th>
            <th scope="col">Output</th>
            <th scope="col">Cost</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ provider, model, answers, usage, cost }) => (
            <tr key={`${provider}:${model}`}>
              <td>
                {toVisibleText(provider)}:<wbr />
                {toVisibleText(model)}
              </td>
              <td>{answers}</td>
              <td>{usage.inputTokens.toLocaleString('en')}</td>
              <td>{usage.outputTokens.toLocaleString('en')}</td>
              <td>{cost === undefined ? 'unknown' : formatCost(cost.amount, cost.currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {known.length > 0 && (
        <p class="muted small">
          Known costs in all:{' '}
          {formatCost(
            known.reduce((sum, { amount }) => sum + amount, 0),
            known[0]?.currency ?? '',
          )}
          , by list prices of {known[0]?.asOf.slice(0, 10)}.
        </p>
      )}
    </div>
  )
}
