// Spending: today's text messages against the limits, per country. Staff can lift a suspension.
import { useEffect, useState } from 'preact/hooks';
import { EmptyState } from '../parts/empty-state.tsx';
import { Button, Notice } from '../parts/form-parts.tsx';
import { phoneIcon } from '../parts/icon.tsx';
import { fill } from '../parts/page-data.ts';
import { Skeleton } from '../parts/skeleton.tsx';
import { useTask } from '../parts/use-task.ts';
import { texts } from './admin-texts.ts';
import type { Calls } from './api-types.ts';
import { call } from './call.ts';
import { Card } from './list-parts.tsx';
import { nameCountry } from './name-country.ts';
import { useActions } from './use-actions.tsx';

type Spend = Calls['adminSpend']['data'];

export function SpendView() {
  const [spend, setSpend] = useState<Spend | undefined>();
  const task = useTask(texts.offline);
  const load = () => task.run(async () => setSpend(await call('adminSpend')));
  useEffect(load, []);
  const { button, dialog, notice } = useActions(load);
  const lift = (country?: string) =>
    button(
      {
        label: texts.lift,
        title:
          country === undefined ? texts.liftTitle : fill(texts.liftCountryTitle, { country: nameCountry(country) }),
        lead: texts.liftLead,
        call: 'adminLift',
        act: (reason) => call('adminLift', { body: { reason, ...(country !== undefined && { country }) } }),
      },
      country,
    );
  return (
    <>
      <h1>{texts.spend}</h1>
      <Notice kind="bad">{task.message}</Notice>
      {spend === undefined && task.error !== undefined && <Button onClick={load}>{texts.tryAgain}</Button>}
      {spend === undefined && task.error === undefined && <Skeleton shape="lines" count={3} />}
      {spend !== undefined && (
        <Card id="spend" title={texts.spendTitle}>
          {notice}
          <div class="row">
            <span>{spend.most === 0 ? texts.noLimit : fill(texts.sentOf, { sent: spend.sent, most: spend.most })}</span>
            {spend.most > 0 && <State isSuspended={spend.suspended} />}
            {spend.suspended && lift()}
          </div>
          {spend.countries.length === 0 && <EmptyState icon={phoneIcon} title={texts.noCountries} />}
          <ul class="rows">
            {spend.countries.map(({ country, sent, opened, used, suspendedBy }) => (
              <li key={country}>
                <span class="grow">
                  {nameCountry(country)}
                  <span class="quiet-text">
                    {spend.mostPerCountry > 0 && ` · ${fill(texts.sentOf, { sent, most: spend.mostPerCountry })}`}
                    {` · ${fill(texts.codesUsed, { used, opened })}`}
                  </span>
                </span>
                <State isSuspended={suspendedBy !== null} />
                {suspendedBy !== null && lift(country)}
              </li>
            ))}
          </ul>
        </Card>
      )}
      {dialog}
    </>
  );
}

function State({ isSuspended }: { readonly isSuspended: boolean }) {
  return <span class={isSuspended ? 'tag bad' : 'tag'}>{isSuspended ? texts.suspended : texts.running}</span>;
}
