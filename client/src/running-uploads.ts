// Which uploads run at this moment, in this tab and in the others: no upload runs twice, and a running one is not pending.
import { GatehouseError } from './gatehouse-error.ts';

export type RunningUploads = {
  /** Fails with `UPLOAD_IN_PROGRESS` if the upload runs already. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
  list(): Promise<ReadonlySet<string>>;
};

/** `name` of the origin that the uploads go to. Without Web Locks (plain http, Node) it knows those of this tab only. */
export function createRunningUploads(name: string): RunningUploads {
  const here = new Set<string>();
  const prefix = `${name}:upload:`;
  const locks = typeof navigator === 'object' && typeof document === 'object' ? navigator.locks : undefined;
  const runHere = async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    if (here.has(key)) throw inProgress();
    here.add(key);
    try {
      return await work();
    } finally {
      here.delete(key);
    }
  };
  return {
    run: async (key, work) =>
      runHere(key, () =>
        locks === undefined
          ? work()
          : locks.request(prefix + key, { ifAvailable: true }, (lock) => {
              if (lock === null) throw inProgress();
              return work();
            }),
      ),
    list: async () => {
      const { held = [] } = (await locks?.query()) ?? {};
      const elsewhere = held.flatMap(({ name: each = '' }) =>
        each.startsWith(prefix) ? [each.slice(prefix.length)] : [],
      );
      return new Set([...here, ...elsewhere]);
    },
  };
}

function inProgress(): GatehouseError {
  return new GatehouseError({ code: 'UPLOAD_IN_PROGRESS', message: 'This upload is running already.', status: 409 });
}
