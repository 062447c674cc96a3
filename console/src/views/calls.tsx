/** The open margin calls of a tape, and what cures each. */
import { callMessage, cureUsd, hasPassed, momentWords, unitsText } from '#src/desk/call-text.ts';
import { callsOf } from '#src/desk/calls.ts';
import type { ValuedTape } from '#src/desk/value-tape.ts';
import { formatHour, MS_PER_DAY } from '#src/text/calendar-date.ts';
import { Scroll } from '../ui/scroll.tsx';
import { ltvText } from './book-results.tsx';
import { saveCalls } from './report-button.tsx';

const SHOWN = 30;

export function Calls({ tape }: { readonly tape: ValuedTape }) {
  const Calls = callsOf(tape.loans, tape.prices, (tape.asOf + 1) * MS_PER_DAY);
  if (Calls.length === 0) return null;
  const AsOf = formatHour(24 * (tape.asOf + 1));
  return (
    <div class="chart-table spread">
      <h3>
        Open margin calls: {Calls.length}
        {Calls.length > SHOWN ? `, the first ${SHOWN} by their deadlines` : ''}
      </h3>
      <Scroll label="Open margin calls">
        <table class="figures">
          <thead>
            <tr>
              {[
                'Loan',
                'Borrower',
                'Deadline',
                'LTV',
                'Cured at',
                'Add, USD',
                'in units of one asset',
                'or repay, USD',
              ].map(name => (
                <th scope="col" key={name}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {Calls.slice(0, SHOWN).map(call => (
              <tr key={call.Id} data-call={call.Id} title={callMessage(call, AsOf)}>
                <th scope="row">{call.Id}</th>
                <td class="text">{call.Borrower ?? ''}</td>
                <td class="text">
                  {momentWords(call.Deadline)}
                  {hasPassed(call) ? ', passed' : ''}
                </td>
                <td>{ltvText(call.Ltv)}</td>
                <td>{ltvText(call.RecoveryLtv)}</td>
                <td>{cureUsd(call.TopUpUsd)}</td>
                <td class="text">{call.TopUp.map(unitsText).join(' or ')}</td>
                <td>{cureUsd(call.RepayUsd)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <p>
        <button type="button" onClick={() => saveCalls({ Calls, Data: { AsOf } })}>
          Save calls.xlsx
        </button>
      </p>
    </div>
  );
}
