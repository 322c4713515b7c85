// One number over the last 30 days: today's figure, a bar for each day, and the sum.
import { facts, fill } from '../parts/page-data.ts';
import { texts } from './admin-texts.ts';

type DayValue = { readonly day: string; readonly value: number };

type Props = {
  readonly title: string;
  /** Oldest first; the last one is today. */
  readonly values: readonly DayValue[];
  readonly kind?: 'bad';
  readonly write?: (value: number) => string;
};

const height = 48;
const step = 10;
const barWidth = 7;

export function DayChart({ title, values, kind, write = writeNumber }: Props) {
  const total = values.reduce((sum, { value }) => sum + value, 0);
  const highest = values.reduce((best, one) => (one.value > best.value ? one : best), { day: '', value: 0 });
  const today = values.at(-1)?.value ?? 0;
  const sum = fill(texts.inDays, { total: write(total) });
  const label = fill(texts.chart, {
    title,
    today: write(today),
    total: write(total),
    day: writeDay(highest.day),
    most: write(highest.value),
  });
  return (
    <figure class={kind === 'bad' && today > 0 ? 'day-chart bad' : 'day-chart'}>
      <figcaption>{title}</figcaption>
      <p class="figure">
        {write(today)} <span class="quiet-text">{texts.today}</span>
      </p>
      <svg
        class="bars"
        viewBox={`0 0 ${values.length * step - (step - barWidth)} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={total === 0 ? `${title}: ${sum}` : label}
      >
        {values.map(({ day, value }, index) => {
          // A day with anything at all is seen.
          const tall = value === 0 ? 1 : Math.max(3, (value / highest.value) * height);
          return (
            <rect
              key={day}
              class={index === values.length - 1 ? 'now' : value === 0 ? 'none' : undefined}
              x={index * step}
              y={height - tall}
              width={barWidth}
              height={tall}
              rx={1}
            >
              <title>{`${writeDay(day)}: ${write(value)}`}</title>
            </rect>
          );
        })}
      </svg>
      <p class="quiet-text">{sum}</p>
    </figure>
  );
}

const days = new Intl.DateTimeFormat(facts.language, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const numbers = new Intl.NumberFormat(facts.language);

/** `2026-11-17`, a day in UTC. */
export function writeDay(day: string): string {
  return day === '' ? '' : days.format(new Date(`${day}T00:00:00Z`));
}

export function writeNumber(value: number): string {
  return numbers.format(value);
}
