import './style.css'
import { render, type VNode } from 'preact'
import { adoptToken, connection, type ConnectionState, followToken } from './api-client.ts'
import { chat } from './chat/chat-state.ts'
import { ChatView } from './chat/chat-view.tsx'
import { ConversationsView } from './conversations/conversations-view.tsx'
import { Icon } from './controls.tsx'
import { refuseOtherDrops } from './drop-zone.ts'
import { GatewayView } from './gateway/gateway-view.tsx'
import { LensView } from './lens/lens-view.tsx'
import { followAddress, formatPageLocation, type PageLocation, pageLocation } from './navigation.ts'
import { StreamsView } from './streams/streams-view.tsx'
import { type ReadonlySignal, signal } from '@preact/signals'

/** The colors of the page: those of the system, or chosen ones. */
type Theme = 'system' | 'light' | 'dark'

const THEMES: readonly Theme[] = ['system', 'light', 'dark']
const STORAGE_KEY = 'interlingua-theme'

const chosenTheme = signal<Theme>(readTheme())

const theme: ReadonlySignal<Theme> = chosenTheme

function readTheme(): Theme {
  const stored = localStorage.getItem(STORAGE_KEY)
  return THEMES.find((each) => each === stored) ?? 'system'
}

/** Applies the chosen theme to the page. */
function applyTheme(): void {
  const chosen = chosenTheme.value
  if (chosen === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = chosen
}

/** Switches to the next theme and stores the choice. */
function switchTheme(): void {
  const next = THEMES[(THEMES.indexOf(chosenTheme.value) + 1) % THEMES.length] ?? 'system'
  chosenTheme.value = next
  localStorage.setItem(STORAGE_KEY, next)
  applyTheme()
}

/** A view of the studio. */
interface View {
  readonly id: string
  readonly title: string
  /** The path of its icon, in a square of 24. */
  readonly icon: string
  readonly component: (props: Omit<PageLocation, 'view'>) => VNode
}

/** The views, in the order of the navigation; the first one opens by default. */
const VIEWS: readonly View[] = [
  {
    id: 'chat',
    title: 'Chat',
    icon: 'M4 5h16v11H9l-5 4Z',
    component: ChatView,
  },
  {
    id: 'conversations',
    title: 'Branches',
    icon: 'M6 4v16M6 12h7a5 5 0 0 0 5-5V4',
    component: ConversationsView,
  },
  {
    id: 'lens',
    title: 'Lens',
    icon: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13Zm5 11.5L20 20',
    component: LensView,
  },
  {
    id: 'streams',
    title: 'Streams',
    icon: 'M3 12h4l3-7 4 14 3-7h4',
    component: StreamsView,
  },
  {
    id: 'gateway',
    title: 'Gateway',
    icon: 'M4 20V10m5 10V4m6 16v-7m5 7V8',
    component: GatewayView,
  },
]

/** A half-filled disk, a sun and a moon. */
const THEME_ICONS: { readonly [name in Theme]: string } = {
  system: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16Zm0 0v16M15 6v12M18 8v8',
  light: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM12 2v2m0 16v2M2 12h2m16 0h2M5 5l1 1m12 12 1 1M5 19l1-1M18 6l1-1',
  dark: 'M20 14A8.5 8.5 0 0 1 10 4a8.5 8.5 0 1 0 10 10Z',
}

function App(): VNode {
  const { view: id, ...shown } = pageLocation.value
  const view = VIEWS.find((each) => each.id === id) ?? VIEWS[0]
  if (view === undefined) return <main />
  const Shown = view.component
  return (
    <div class="shell">
      <a class="skip" href="#main" onClick={focusMain}>
        Skip to content
      </a>
      <nav class="shell-nav" aria-label="Views">
        <span class="brand">
          inter<b>lingua</b>
        </span>
        {VIEWS.map((each) => (
          <a
            key={each.id}
            href={formatPageLocation({ view: each.id, ...(each.id === 'chat' && getOpenChat()) })}
            aria-current={each === view ? 'page' : undefined}
          >
            <Icon path={each.icon} />
            <span>{each.title}</span>
          </a>
        ))}
        <button type="button" class="theme-switch" onClick={switchTheme}>
          <Icon path={THEME_ICONS[theme.value]} />
          <span>
            <span class="wide-only">Theme: </span>
            {theme.value}
          </span>
        </button>
      </nav>
      <ConnectionNotice />
      <main id="main" tabIndex={-1} key={view.id}>
        <Shown {...shown} />
      </main>
    </div>
  )
}

/** The link to the chat returns to the open one: opening another would stop its run. */
function getOpenChat(): Omit<PageLocation, 'view'> {
  const session = chat.session.value
  return session === undefined ? {} : { item: session }
}

const NOTICES: { readonly [state in ConnectionState]: string } = {
  open: '',
  refused: 'This page belongs to another start of the studio. Open the URL that the command printed.',
  offline: 'The studio does not respond. The page connects again when it runs.',
}

function ConnectionNotice(): VNode {
  const text = NOTICES[connection.value]
  return (
    <div role="status" class={text === '' ? 'visually-hidden' : 'connection-notice'}>
      {text}
    </div>
  )
}

/** Moves the focus without changing the address, which selects the view. */
function focusMain(event: Event): void {
  event.preventDefault()
  document.querySelector<HTMLElement>('#main')?.focus()
}

applyTheme()
adoptToken()
followToken()
followAddress()
refuseOtherDrops()
const root = document.querySelector('#app')
if (root !== null) render(<App />, root)
