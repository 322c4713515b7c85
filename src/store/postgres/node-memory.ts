// What a node knows of its cluster: learned from the servers, and kept on disk once the database has proved to be that of this installation.
import { waitFor } from '../../kernel/deadline.ts';
import { type ClusterMemory, isLater, nothingRemembered, type ServerState } from './choose-server.ts';
import { type KeptMemory, memoryFile, nothingKept, readMemory, replaceMemory, writeMemory } from './cluster-memory.ts';
import { codeOf } from './postgres-errors.ts';

export type MemoryPlace = {
  /** Where this node remembers the cluster. Undefined if it does not. */
  readonly dataDir?: string | undefined;
  /** A service remembers what it sees, on disk and in the database. A command only reads it: it may be another user. */
  readonly isService?: boolean;
  /** Reads the installation id of the storage. Without it, only the file says which installation this is. */
  readonly readMark?: (() => Promise<string | undefined>) | undefined;
  /** Gets what an operator should know: another server is used, or something cannot be remembered. */
  readonly report?: (error: Error) => void;
};

const markMilliseconds = 2000;
/** A server that is a stranger for long must not cost a request to the storage every second. */
const markKeptMilliseconds = 5000;

type Mark = { readonly id: string | undefined; readonly until: number };

export function openNodeMemory({ dataDir, isService = false, readMark, report = () => undefined }: MemoryPlace) {
  const file = dataDir === undefined ? undefined : memoryFile(dataDir);
  let memory: KeptMemory = nothingKept;
  let mark: Mark | undefined;
  /** False until a database was that of this installation: then any may be asked whether it is. */
  let isBound = false;

  const refresh = () => {
    if (file === undefined) return;
    const written = readDisk(file, isService);
    isBound ||= isLater(written, nothingRemembered) || written.installation !== undefined;
    if (!isLater(memory, written)) memory = { ...written, installation: written.installation ?? memory.installation };
  };
  const askStorage = async (): Promise<Mark | undefined> => {
    if (readMark === undefined || (mark !== undefined && performance.now() < mark.until)) return mark;
    mark = undefined;
    try {
      const late = () => new Error('timeout of the storage');
      const id = await waitFor(readMark(), { milliseconds: markMilliseconds, late });
      mark = { id, until: performance.now() + markKeptMilliseconds };
    } catch {
      // The blob store reports its own trouble.
    }
    return mark;
  };
  const isProved = (id: string | undefined) => id !== undefined && (id === memory.installation || id === mark?.id);

  return {
    latest: (): ClusterMemory => {
      refresh();
      return memory;
    },
    /** Marks the answers of databases that are not proved to be that of this installation. The storage is asked only if the file does not say it. */
    doubtStrangers: async (states: readonly ServerState[]): Promise<readonly ServerState[]> => {
      if (!isService) return states;
      refresh();
      const isAsked = states.some(
        (state) =>
          state.kind !== 'away' && (state.installation === undefined || state.installation !== memory.installation),
      );
      const found = isAsked ? await askStorage() : undefined;
      const isComparable = isBound && (found?.id ?? memory.installation) !== undefined;
      return states.map((state) => {
        if (state.kind === 'away') return state;
        const { installation } = state;
        // A restored database that was never started, and a storage that is new too.
        const areBothNew = installation === undefined && found !== undefined && found.id === undefined;
        const isOurs = !isComparable || isProved(installation) || areBothNew;
        const doubt = found === undefined ? 'unproved' : 'other installation';
        return { ...state, doubt: isOurs ? undefined : doubt };
      });
    },
    /** `chosen`: the server that is used now. True if its database is proved to be that of this installation. */
    learn: (seen: ClusterMemory, chosen: ServerState | undefined): boolean => {
      const told = chosen === undefined || chosen.kind === 'away' ? undefined : chosen.installation;
      const isOwn = isProved(told);
      memory = { ...seen, installation: isOwn ? told : memory.installation };
      if (isOwn) isBound = true;
      if (!isService || file === undefined || memory.system === undefined || memory.installation === undefined)
        return isOwn;
      try {
        writeMemory(file, memory);
      } catch (error) {
        report(error as Error);
      }
      return isOwn;
    },
    /** The storage may have got its installation id a moment ago. */
    forgetMark: () => {
      mark = undefined;
    },
    damagedFile: () => (file !== undefined && isDamaged(file) ? file : undefined),
    /** After the decision of an operator, in place of a file that cannot be read. */
    repair: (decided: ClusterMemory) => {
      if (file !== undefined && isDamaged(file)) replaceMemory(file, { ...decided, installation: undefined });
    },
  };
}

function readDisk(path: string, isService: boolean): KeptMemory {
  try {
    return readMemory(path);
  } catch (error) {
    // An operator with another user than that of the service still has what the servers say. So has one who wants to repair the file.
    if (!isService && ['EACCES', 'CLUSTER_FILE'].includes(codeOf(error))) return nothingKept;
    throw error;
  }
}

function isDamaged(path: string): boolean {
  try {
    readMemory(path);
    return false;
  } catch (error) {
    return codeOf(error) === 'CLUSTER_FILE';
  }
}
