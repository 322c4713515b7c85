// Turns what a drill saw into the figures of its row, and says which goals it missed. Pure.
import type { Goal } from './drill.ts';
import type { CallSeen } from './ledger.ts';
import type { AlertRule, AlertSeen } from './prometheus.ts';
import type { Observation } from './run-drill.ts';

const limits = {
  /** Whoever is in within this time could sign in. */
  signInSeconds: 10,
  /** A call or message that takes longer is not a recovered one. */
  patienceSeconds: 5,
  recoverySeconds: 10,
  /** Of all messages of all drills together. */
  doubledShare: 0.01,
  /** How long after its own `for` a critical alert may take to fire. */
  alertSeconds: 120,
};

type AlertState = { readonly name: string; readonly state: 'pending' | 'firing'; readonly seconds: number };

export type Row = {
  readonly drill: Observation['drill'];
  readonly faultSeconds: number;
  readonly signIns: number;
  /** Of those that began during the fault. Undefined if none did. */
  readonly signInShare: number | undefined;
  readonly messages: number;
  readonly codesLost: number;
  readonly doubled: number;
  readonly signOuts: readonly string[];
  readonly writesLost: readonly string[];
  readonly p99Seconds: number;
  readonly recoverySeconds: number;
  /** What it was that failed last. */
  readonly lastTrouble: string;
  readonly alerts: readonly AlertState[];
  readonly misses: readonly Goal[];
};

export function judgeDrill(seen: Observation): Row {
  const { drill, ledger, beganAt, endedAt } = seen;
  const during = ledger.signIns.filter((one) => one.beganAt >= beganAt && one.beganAt < endedAt);
  const wereIn = during.filter(
    (one) => one.inAt !== undefined && one.inAt - one.beganAt <= limits.signInSeconds * 1000,
  );
  const copies = [...Map.groupBy(seen.arrivals, ({ id }) => id).values()].map((arrivals) => arrivals.length);
  const reached = new Set(seen.arrivals.map(({ to }) => to));
  const recovery = findRecovery(seen);
  const figures = {
    drill,
    faultSeconds: (endedAt - beganAt) / 1000,
    signIns: during.length,
    signInShare: during.length === 0 ? undefined : wereIn.length / during.length,
    messages: copies.length,
    codesLost: new Set(ledger.promises.map(({ to }) => to)).difference(reached).size,
    doubled: copies.filter((count) => count > 1).length,
    signOuts: ledger.signOuts.map(({ code }) => code),
    writesLost: seen.lost,
    p99Seconds: findP99(ledger.calls.filter((call) => call.beganAt >= beganAt && call.beganAt < endedAt)),
    recoverySeconds: recovery.seconds,
    lastTrouble: recovery.last,
    alerts: seen.alerts.filter(({ lastAt }) => lastAt >= beganAt).map((alert) => toState(alert, beganAt)),
  };
  const isMissed: Record<Goal, boolean> = {
    writes: figures.writesLost.length > 0,
    'sign-outs': figures.signOuts.length > 0,
    // A code goes out twice at most, whatever happens.
    codes: figures.codesLost > 0 || copies.some((count) => count > 2),
    recovery: figures.recoverySeconds > limits.recoverySeconds,
    alerts: missesAlert(seen),
  };
  const isExcused = (goal: Goal) => drill.excuses?.[goal] !== undefined;
  const misses = (Object.keys(isMissed) as Goal[]).filter((goal) => isMissed[goal] && !isExcused(goal));
  return { ...figures, misses };
}

/** Whether more messages than allowed arrived twice. For all drills together: one has too few for a share of 1 %. */
export function missesDoubled(doubled: number, messages: number): boolean {
  return doubled > limits.doubledShare * messages;
}

function findP99(calls: readonly CallSeen[]): number {
  const seconds = calls.map((call) => (call.endedAt - call.beganAt) / 1000).sort((a, b) => a - b);
  return seconds[Math.ceil(seconds.length * 0.99) - 1] ?? 0;
}

/** The last call or message after the fault that failed or took too long, in seconds after its end. */
function findRecovery({ ledger, arrivals, endedAt }: Observation): { seconds: number; last: string } {
  const patience = limits.patienceSeconds * 1000;
  const bad = ledger.calls
    .filter((call) => isBad(call) || call.endedAt - call.beganAt > patience)
    .map(({ what, status, code, beganAt, endedAt: until }) => ({
      at: beganAt,
      last: `${what}: ${status ?? 'no answer'} ${code ?? ''} after ${Math.round(until - beganAt)} ms`,
    }));
  const late = ledger.promises.flatMap(({ to, at, channel }) => {
    const first = arrivals.find((arrival) => arrival.to === to);
    if (first !== undefined && first.at - at <= patience) return [];
    const last = `a message by ${channel} ${first === undefined ? 'never' : `${Math.round(first.at - at)} ms`}`;
    return [{ at, last: `${last} after its promise` }];
  });
  const after = [...bad, ...late].filter(({ at }) => at >= endedAt).sort((a, b) => b.at - a.at);
  const [newest] = after;
  return newest === undefined ? { seconds: 0, last: '' } : { seconds: (newest.at - endedAt) / 1000, last: newest.last };
}

/** What an honest client does not deserve. A wait between two codes is its own doing. */
function isBad({ status, code }: CallSeen): boolean {
  if (status === undefined || status >= 500) return true;
  return status === 429 && code !== 'OTP_RESEND_TOO_SOON';
}

function toState({ name, pendingAt, firingAt }: AlertSeen, beganAt: number): AlertState {
  const at = firingAt ?? pendingAt;
  return { name, state: firingAt === undefined ? 'pending' : 'firing', seconds: Math.max(0, (at - beganAt) / 1000) };
}

/** A fault that is shorter than the time of its alert can only make it pending. Without a fault, no critical alert may show. */
function missesAlert({ drill, alerts, rules, beganAt, endedAt }: Observation): boolean {
  const find = (name: string) => alerts.find((alert) => alert.name === name && alert.lastAt >= beganAt);
  if (drill.part === 'nothing') return rules.some(({ name, isCritical }) => isCritical && find(name) !== undefined);
  return (drill.alerts ?? []).some((name) => {
    const rule: AlertRule | undefined = rules.find((one) => one.name === name);
    if (rule === undefined) return true;
    const seen = find(name);
    const allowed = (rule.forSeconds + limits.alertSeconds) * 1000;
    if (endedAt - beganAt < allowed) return seen === undefined;
    return seen?.firingAt === undefined || seen.firingAt - beganAt > allowed;
  });
}
