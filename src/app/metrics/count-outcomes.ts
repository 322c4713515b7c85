// Composition: counts the results of the ports, so that neither the domain nor the store depends on metrics.

import type { Captcha } from '../../abuse/captcha.ts';
import type { RotationOutcome, SessionEnd, SignInMethod } from '../../auth/session.ts';
import type { BlobStore } from '../../files/blob-store.ts';
import { Failure } from '../../kernel/failure.ts';
import type { Ports } from '../../store/ports.ts';
import type { Metrics } from './metric-definitions.ts';
import { type CountedSignIn, endLabels, refreshLabel, signInLabel } from './outcome-labels.ts';

export function countOutcomes(ports: Ports, { count }: Metrics): Ports {
  const { sendRequests, signIns, sessions, bindings, users, files } = ports;
  const countEnded = (reason: SessionEnd, sessionsEnded: number) => {
    if (sessionsEnded > 0) count('sessions_ended', { reason: endLabels[reason] }, sessionsEnded);
  };
  const countSignIn = (method: SignInMethod, outcome: CountedSignIn) => {
    count('sign_ins', { method, outcome: signInLabel(outcome) });
    if (outcome.kind === 'signed in') countEnded('evicted', outcome.evicted.length);
  };
  return {
    ...ports,
    sendRequests: {
      ...sendRequests,
      request: async (request) => {
        const refusal = await sendRequests.request(request);
        if (refusal?.code === 'CAPTCHA_INVALID') count('captcha_checks', { outcome: 'replayed' });
        if (refusal !== undefined) return refusal;
        if (request.challenge === undefined) count('links_requested', {});
        else count('codes_requested', { purpose: request.challenge.purpose });
        return undefined;
      },
      noteSuspension: (suspension) => {
        count('limits_struck', { limit: `sms-${suspension.rule}` });
        return sendRequests.noteSuspension(suspension);
      },
    },
    signIns: {
      signInWithPhone: async (signIn) => {
        const outcome = await signIns.signInWithPhone(signIn);
        // A wrong code is counted as a failure of its request.
        if (outcome.kind !== 'refused') countSignIn('sms', outcome);
        return outcome;
      },
      signInWithLink: async (signIn) => {
        const outcome = await signIns.signInWithLink(signIn);
        countSignIn('link', outcome);
        return outcome;
      },
    },
    sessions: {
      ...sessions,
      rotate: async (rotation) => {
        const outcome = await sessions.rotate(rotation);
        count('refreshes', { outcome: refreshLabel(outcome) });
        const end = endsOf[outcome.kind];
        if (end !== undefined) countEnded(end, 1);
        return outcome;
      },
      endSessions: async (input) => {
        const ended = await sessions.endSessions(input);
        countEnded(input.reason, ended.length);
        return ended;
      },
    },
    bindings: {
      ...bindings,
      bindEmail: async (binding) => {
        const outcome = await bindings.bindEmail(binding);
        if (outcome.kind !== 'refused') count('emails_bound', { outcome: outcome.kind });
        return outcome;
      },
    },
    users: {
      ...users,
      deleteUser: async (input) => {
        const gone = await users.deleteUser(input);
        countEnded('account deleted', gone.sessionIds.length);
        return gone;
      },
    },
    files: {
      ...files,
      settle: async (settlement) => {
        const outcome = await files.settle(settlement);
        if (outcome.kind !== 'stored') return outcome;
        count('files_stored', { purpose: settlement.file.purpose });
        count('file_bytes', { direction: 'in' }, settlement.file.size);
        return outcome;
      },
      deleteFile: async (input) => {
        const isDeleted = await files.deleteFile(input);
        if (isDeleted) count('files_deleted', {});
        return isDeleted;
      },
    },
  };
}

/** The reason if the refresh token ended its session. `idle` and `absolute` share one label, so `idle` is enough here. */
const endsOf: Readonly<Record<RotationOutcome['kind'], SessionEnd | undefined>> = {
  renewed: undefined,
  invalid: undefined,
  ended: undefined,
  reused: 'reused',
  expired: 'idle',
};

export function countCaptcha(captcha: Captcha, { count }: Metrics): Captcha {
  return {
    ...captcha,
    check: async (token, ip) => {
      try {
        const spend = await captcha.check(token, ip);
        count('captcha_checks', { outcome: 'passed' });
        return spend;
      } catch (error) {
        const isRefusal = error instanceof Failure && error.code === 'CAPTCHA_INVALID';
        count('captcha_checks', { outcome: isRefusal ? 'refused' : 'unavailable' });
        throw error;
      }
    },
  };
}

/** Measures every call to the storage, whether it succeeds or fails. */
export function timeBlobs(blobs: BlobStore, { observe }: Metrics): BlobStore {
  const timed = async <T>(act: 'keep' | 'read' | 'remove', work: () => Promise<T>): Promise<T> => {
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      observe('storage_seconds', { act }, (performance.now() - startedAt) / 1000);
    }
  };
  const { pump } = blobs;
  return {
    ...blobs,
    keep: (spool, id, sha256, signal) => timed('keep', () => blobs.keep(spool, id, sha256, signal)),
    read: (id, range, size) => timed('read', () => blobs.read(id, range, size)),
    remove: (id) => timed('remove', () => blobs.remove(id)),
    ...(pump !== undefined && { pump: (id, range, size) => timed('read', () => pump(id, range, size)) }),
  };
}
