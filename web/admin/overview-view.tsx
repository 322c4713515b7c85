// The overview: what happened on each of the last 30 days, as small charts and as one table, today's text messages, and providers that are left out.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button, Notice } from '../parts/form-parts.tsx';
import { formatBytes, formatTime } from '../parts/format.ts';
import { fill } from '../parts/page-data.ts';
import { Skeleton } from '../parts/skeleton.tsx';
import { useTask } from '../parts/use-task.ts';
import { fillCount, texts } from './admin-texts.ts';
import type { Calls } from './api-types.ts';
import { call } from './call.ts';
import { DayChart, writeDay, writeNumber } from './day-chart.tsx';
import { nameCountry } from './name-country.ts';
import './overview.css';

type Overview = Calls['adminOverview']['data'];
type Count = Exclude<keyof Overview['days'][number], 'day'>;

const titles: Readonly<Record<Count, string>> = {
  signIns: texts.signIns,
  signUps: texts.signUps,
  sms: texts.smsSent,
  mails: texts.mailsSent,
  wrongCodes: texts.wrongCodes,
  refused: texts.refusedSignIns,
  undelivered: texts.undelivered,
  braked: texts.braked,
  files: texts.filesStored,
  bytes: texts.bytesStored,
};

const columns = Object.keys(titles) as Count[];

export function OverviewView() {
  const [shown, setShown] = useState<Overview | undefined>();
  const task = useTask(texts.offline);
  const load = () => task.run(async () => setShown(await call('adminOverview')));
  useEffect(load, []);
  return (
    <>
      <div class="view-head">
        <h1>{texts.overview}</h1>
        <p class="quiet-text">{texts.overviewLead}</p>
      </div>
      <Notice kind="bad">{task.message}</Notice>
      {shown === undefined && task.error !== undefined && (
        <div class="row">
          <Button onClick={load}>{texts.tryAgain}</Button>
        </div>
      )}
      {shown === undefined && task.error === undefined && <Skeleton shape="tiles" count={4} />}
      {shown !== undefined && <Shown overview={shown} />}
    </>
  );
}

function Shown({ overview }: { readonly overview: Overview }) {
  // A node of the version before does not tell them.
  const { days, spend, leftOutProviders = [] } = overview;
  const chart = (name: Count, kind?: 'bad') => (
    <DayChart
      key={name}
      title={titles[name]}
      values={days.map((one) => ({ day: one.day, value: one[name] }))}
      {...(kind !== undefined && { kind })}
      {...(name === 'bytes' && { write: formatBytes })}
    />
  );
  return (
    <>
      {leftOutProviders.length > 0 && <LeftOutCard providers={leftOutProviders} />}
      <div class="overview">
        <Group id="people" title={texts.groupPeople}>
          {chart('signIns')}
          {chart('signUps')}
        </Group>
        <Group id="sent" title={texts.groupMessages}>
          {chart('sms')}
          {chart('mails')}
        </Group>
        <Group id="failed" title={texts.groupFailures} isWide>
          {chart('wrongCodes', 'bad')}
          {chart('refused', 'bad')}
          {chart('undelivered', 'bad')}
          {chart('braked', 'bad')}
        </Group>
        <Group id="stored" title={texts.groupStorage}>
          {chart('files')}
          {chart('bytes')}
        </Group>
        <SpendCard spend={spend} />
      </div>
      <DayTable days={days} />
    </>
  );
}

type GroupProps = {
  readonly id: string;
  readonly title: string;
  readonly isWide?: boolean;
  readonly children: ComponentChildren;
};

function Group({ id, title, isWide = false, children }: GroupProps) {
  return (
    <section class={isWide ? 'card chart-group wide' : 'card chart-group'} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <div class="charts">{children}</div>
    </section>
  );
}

function SpendCard({ spend: { sent, most, suspended, suspendedCountries } }: { readonly spend: Overview['spend'] }) {
  const countries = suspendedCountries.map(nameCountry).join(', ');
  return (
    <section class="card stack" aria-labelledby="spent">
      <h2 id="spent">{texts.spendTitle}</h2>
      {most === 0 ? (
        <p class="quiet-text">{texts.noLimit}</p>
      ) : (
        <>
          <p class="figure">{fill(texts.sentOf, { sent: writeNumber(sent), most: writeNumber(most) })}</p>
          <progress class={suspended ? 'gauge bad' : 'gauge'} max={most} value={sent} aria-label={texts.spendTitle} />
        </>
      )}
      {suspended && <p class="tag bad">{texts.brakeOn}</p>}
      {countries !== '' && <p class="tag bad">{fill(texts.brakeOnFor, { countries })}</p>}
    </section>
  );
}

function LeftOutCard({ providers }: { readonly providers: Overview['leftOutProviders'] }) {
  const tell = ({ provider, countries, nodes, since }: (typeof providers)[number]) => {
    const where = countries.map(nameCountry).join(', ');
    const values = { provider, countries: where, nodes, time: formatTime(since) };
    return fillCount(where === '' ? texts.leftOut : texts.leftOutFor, values);
  };
  return (
    <section class="card stack" aria-labelledby="left-out">
      <h2 id="left-out">{texts.leftOutTitle}</h2>
      {providers.map((one) => (
        <Notice key={tell(one)} kind="bad">
          {tell(one)}
        </Notice>
      ))}
    </section>
  );
}

/** The same numbers for those who cannot see the charts, and for those who need them exactly. */
function DayTable({ days }: { readonly days: Overview['days'] }) {
  return (
    <details class="card day-table">
      <summary>{texts.asTable}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll the table */}
      <section class="scrolled" aria-label={texts.asTable} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{texts.day}</th>
              {columns.map((name) => (
                <th key={name} scope="col">
                  {titles[name]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map((one) => (
              <tr key={one.day}>
                <th scope="row">{writeDay(one.day)}</th>
                {columns.map((name) => (
                  <td key={name}>{name === 'bytes' ? formatBytes(one.bytes) : writeNumber(one[name])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
