/** The shell: name, key, theme, navigation, and the view that the address names. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { addressOf, view } from './state/address.ts';
import { recoveries, reportOutage } from './state/outage.ts';
import { apiKey, type Theme, theme } from './state/session.ts';
import { SECRET } from './ui/secret.ts';
import { ADVANCE_RATE } from './views/advance-rate.tsx';
import { BacktestView } from './views/backtest.tsx';
import { MarketDataView } from './views/data.tsx';
import { LOAN } from './views/loan.tsx';
import { LOW_LIQUIDITY } from './views/low-liquidity.tsx';
import { VIEW_GROUPS, VIEW_NAMES, type ViewName } from './views/names.ts';
import { OperationView } from './views/operation-view.tsx';
import { ORIGINATION } from './views/origination.tsx';
import { PERPETUAL } from './views/perpetual.tsx';
import { VALUE_AT_RISK } from './views/value-at-risk.tsx';

/** The reader of tapes and the report are large, and not every visit needs them. */
const loadBook = async () => (await import('./views/book.tsx')).BookView;
const loadAccount = async () => (await import('./views/account.tsx')).AccountView;

const VIEWS: Readonly<Record<ViewName, () => ComponentChildren>> = {
  loan: () => <OperationView key="loan" definition={LOAN} />,
  liquidity: () => <OperationView key="liquidity" definition={LOW_LIQUIDITY} />,
  perpetual: () => <OperationView key="perpetual" definition={PERPETUAL} />,
  account: () => <LaterView key="account" load={loadAccount} />,
  book: () => <LaterView key="book" load={loadBook} />,
  origination: () => <OperationView key="origination" definition={ORIGINATION} />,
  advance: () => <OperationView key="advance" definition={ADVANCE_RATE} />,
  var: () => <OperationView key="var" definition={VALUE_AT_RISK} />,
  backtest: () => <BacktestView key="backtest" />,
  data: () => <MarketDataView />,
};

/** A view whose program is fetched when it is opened. */
function LaterView({ load }: { load(): Promise<ComponentType> }) {
  // In an object: a signal of a function would be called.
  const found = useSignal<{ readonly View: ComponentType } | undefined>(undefined);
  const failed = useSignal(false);
  useEffect(() => {
    load().then(
      View => {
        found.value = { View };
      },
      () => {
        failed.value = true;
        reportOutage();
      },
    );
  }, [recoveries.value]);
  if (found.value === undefined)
    return failed.value ? (
      <p class="waiting">
        This part of the page cannot be fetched.{' '}
        <button type="button" onClick={() => location.reload()}>
          Load the page again
        </button>
      </p>
    ) : (
      <p class="waiting">Loading.</p>
    );
  const { View } = found.value;
  return <View />;
}

const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

export function App() {
  const name = VIEW_NAMES.find(each => each === view.value) ?? 'loan';
  // Where the line of views is wider than the screen.
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    const { current } = list;
    const link = current?.querySelector<HTMLElement>('[aria-current]');
    if (current && link) current.scrollLeft = link.offsetLeft - current.clientWidth / 2;
  }, [name]);
  return (
    <>
      <header>
        <h1>Collateral risk</h1>
        <nav aria-label="Views" ref={list}>
          {Object.entries(VIEW_GROUPS).map(([group, views]) => (
            <div class="nav-group" key={group}>
              <span class="meaning" id={`group-${group}`}>
                {group}
              </span>
              <ul aria-labelledby={`group-${group}`}>
                {Object.entries(views).map(([path, label]) => (
                  <li key={path}>
                    <a href={addressOf(path)} {...(path === name ? { 'aria-current': 'page' as const } : {})}>
                      {label}
                    </a>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
        <div class="session">
          <a href="/docs/guide/">Guide</a>
          <label for="api-key">API key</label>
          <input
            {...SECRET}
            id="api-key"
            placeholder="API key"
            value={apiKey.value}
            onChange={event => {
              apiKey.value = event.currentTarget.value.trim();
            }}
          />
          <label for="theme">Theme</label>
          <select
            id="theme"
            value={theme.value}
            onChange={event => {
              theme.value = event.currentTarget.value as Theme;
            }}
          >
            {THEMES.map(choice => (
              <option key={choice} value={choice}>
                {choice}
              </option>
            ))}
          </select>
        </div>
      </header>
      <main>{VIEWS[name]()}</main>
    </>
  );
}
