// Composition: counts the results of the ports, so that neither the domain nor the store depends on metrics.

import type { Captcha } from '../../abuse/captcha.ts';
import type { RotationOutcome, SessionEnd, SignInMethod } from '../../auth/sessions/session.ts';
import type { BlobStore } from '../../files/storage/blob-store.ts';
import type { Scanner } from '../../files/uploads/scanner.ts';
import { Failure } from '../../kernel/failure.ts';
import type { Ports } from '../../store/ports.ts';
import { countApps } from './count-apps.ts';
import { countUploads } from './count-uploads.ts';
import type { Metrics } from './metric-definitions.ts';
import {
  type CountedSignIn,
  endLabels,
  proofLabel,
  refreshLabel,
  type ScheduledPhoneLabel,
  signInLabel,
} from './outcome-labels.ts';

export function countOutcomes(ports: Ports, { count }: Metrics): Ports {
  const { sendRequests, signIns, sessions, proofs, bindings, phones, notices, scheduledPhones, users, files } = ports;
  const countEnded = (reason: SessionEnd, sessionsEnded: number) => {
    if (sessionsEnded > 0) count('sessions_ended', { reason: endLabels[reason] }, sessionsEnded);
  };
  const countScheduled = (outcome: ScheduledPhoneLabel) => count('scheduled_phone_changes', { outcome });
  const countSignIn = (method: SignInMethod, outcome: CountedSignIn) => {
    count('sign_ins', { method, outcome: signInLabel(outcome) });
    if (outcome.kind !== 'signed in') return;
    countEnded('evicted', outcome.evicted.length);
    if (outcome.hasCancelled) countScheduled('cancelled');
  };
  return {
    ...ports,
    sendRequests: {
      ...sendRequests,
      request: async (request) => {
        const answer = await sendRequests.request(request);
        if (answer?.code === 'CAPTCHA_INVALID') count('captcha_checks', { outcome: 'replayed' });
        if (answer?.code !== undefined) return answer;
        if (request.challenge === undefined) count('links_requested', {});
        else count('codes_requested', { purpose: request.challenge.purpose });
        return answer;
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
      claimPhone: async (claim) => {
        const outcome = await signIns.claimPhone(claim);
        countSignIn('sms', outcome);
        return outcome;
      },
    },
    sessions: {
      ...sessions,
      rotate: async (rotation) => {
        const outcome = await sessions.rotate(rotation);
        count('refreshes', { outcome: refreshLabel(outcome) });
        const end = endsOf[outcome.kind];
        if (end !== undefined) countEnded(end, 1 + endedWith(outcome));
        return outcome;
      },
      endSessions: async (input) => {
        const ended = await sessions.endSessions(input);
        countEnded(input.reason, ended.length);
        return ended;
      },
    },
    proofs: {
      prove: async (proof) => {
        const outcome = await proofs.prove(proof);
        if (outcome.kind === 'refused') return outcome;
        count('proofs', { outcome: proofLabel(outcome) });
        if (outcome.kind === 'reused') countEnded('reused', 1 + endedWith(outcome));
        if (outcome.kind === 'expired') countEnded('idle', 1);
        return outcome;
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
    phones: {
      ...phones,
      changePhone: async (change) => {
        const outcome = await phones.changePhone(change);
        if (outcome.kind !== 'refused') count('phones_changed', { outcome: outcome.kind });
        if (outcome.kind === 'changed') countEnded('phone changed', outcome.sessionIds.length);
        return outcome;
      },
    },
    notices: {
      ...notices,
      redeemNotice: async (input) => {
        const outcome = await notices.redeemNotice(input);
        if (outcome.kind !== 'ended' && outcome.kind !== 'taken') return outcome;
        count('changes_disowned', {});
        countEnded('not me', outcome.sessionIds.length);
        if (outcome.hasCancelled) countScheduled('cancelled');
        return outcome;
      },
    },
    scheduledPhones: {
      ...scheduledPhones,
      cancelPhoneChange: async (cancellation) => {
        const isCancelled = await scheduledPhones.cancelPhoneChange(cancellation);
        if (isCancelled) countScheduled('cancelled');
        return isCancelled;
      },
      applyPhoneChanges: async (round) => {
        const outcomes = await scheduledPhones.applyPhoneChanges(round);
        for (const outcome of outcomes) {
          countScheduled(outcome.kind);
          if (outcome.kind === 'applied') countEnded('phone changed', outcome.sessionIds.length);
        }
        return outcomes;
      },
    },
    appStore: countApps(ports.appStore, { count }, countEnded),
    resumables: countUploads(ports.resumables, { count }),
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
        if (settlement.isResumable) count('resumable_uploads', { outcome: 'stored' });
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
  'too wide': undefined,
  ended: undefined,
  reused: 'reused',
  expired: 'idle',
};

/** How many sessions of apps ended with a session of this service. */
function endedWith(outcome: RotationOutcome): number {
  return outcome.kind === 'reused' ? (outcome.ended?.length ?? 0) : 0;
}

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

/** Counts what ends with a verdict or without one. A scan that the client abandons counts as neither. */
export function countScans(scanner: Scanner, { count, observe }: Metrics): Scanner {
  return {
    scan: async (scan) => {
      const startedAt = performance.now();
      const verdict = await scanner.scan(scan);
      count('scans', { outcome: verdict.kind === 'unscanned' ? verdict.trouble : verdict.kind });
      if (verdict.kind !== 'unscanned') observe('scan_seconds', {}, (performance.now() - startedAt) / 1000);
      return verdict;
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
    openLocally: (id, size) => timed('read', () => blobs.openLocally(id, size)),
    remove: (id) => timed('remove', () => blobs.remove(id)),
    readVariant: (id, name) => timed('read', () => blobs.readVariant(id, name)),
    keepVariant: (id, name, bytes) => timed('keep', () => blobs.keepVariant(id, name, bytes)),
    ...(pump !== undefined && { pump: (id, range, size) => timed('read', () => pump(id, range, size)) }),
  };
}
