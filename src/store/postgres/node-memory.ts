// What a node knows of its cluster: learned from the servers, and kept on disk once the database has proved to be that of this installation.
import { waitFor } from '../../kernel/work/deadline.ts';
import { type ClusterMemory, type Doubt, isLater, nothingRemembered, type ServerState } from './choose-server.ts';
import { type KeptMemory, memoryFile, nothingKept, readMemory, replaceMemory, writeMemory } from './cluster-memory.ts';
import { codeOf } from './postgres-errors.ts';
import { openStorageMark } from './storage-mark.ts';

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

/** How long the first look of a node that was never proved waits for the storage. One that is away must not delay its start for longer. */
const firstMilliseconds = 1000;

export function openNodeMemory({ dataDir, isService = false, readMark, report = () => undefined }: MemoryPlace) {
  const file = dataDir === undefined ? undefined : memoryFile(dataDir);
  let memory: KeptMemory = nothingKept;
  const mark = openStorageMark(readMark);
  /** What the file says. */
  let filed: KeptMemory = nothingKept;
  /** False until a database was that of this installation: then one that is new may be used, and any while the storage is away. */
  let isBound = false;
  let hasWaited = false;

  const refresh = () => {
    if (file === undefined) return;
    filed = readDisk(file, isService);
    isBound ||= isLater(filed, nothingRemembered) || filed.installation !== undefined;
    const isNewer = isLater(memory, filed);
    const [one, other] = isNewer ? [memory, filed] : [filed, memory];
    memory = { ...one, installation: one.installation ?? other.installation };
  };
  /** Whether the answer of the storage can change what is thought of a server. */
  const isOpen = (state: ServerState): boolean => {
    if (state.kind === 'away') return false;
    return state.installation === undefined ? isBound : state.installation !== memory.installation;
  };
  const askStorage = async (): Promise<void> => {
    const asked = mark.ask();
    if (isBound) return asked;
    if (hasWaited) return;
    hasWaited = true;
    const late = () => new Error('the storage takes long');
    await waitFor(asked, { milliseconds: firstMilliseconds, late }).catch(() => undefined);
  };
  const isProved = (id: string | undefined) =>
    id !== undefined && (id === memory.installation || id === mark.latest()?.id);
  /** Only what the storage says is certain: what the file says may be of an earlier use of this machine. */
  const doubtAbout = (id: string | undefined): Doubt | undefined => {
    const found = mark.latest();
    const known = found?.id ?? memory.installation;
    if (known === undefined || isProved(id)) return undefined;
    // A restored database that was never started, and a storage that is new too; or the first start of several nodes.
    if (id === undefined && (!isBound || (found !== undefined && found.id === undefined))) return undefined;
    return found?.id === undefined ? 'unproved' : 'other installation';
  };

  return {
    latest: (): ClusterMemory => {
      refresh();
      return memory;
    },
    /** Marks the answers of databases that are not those of this installation, or not proved to be. */
    doubtStrangers: async (states: readonly ServerState[]): Promise<readonly ServerState[]> => {
      if (!isService) return states;
      refresh();
      if (states.some(isOpen)) await askStorage();
      return states.map((state) =>
        state.kind === 'away' ? state : { ...state, doubt: doubtAbout(state.installation) },
      );
    },
    /** `chosen`: the server that is used now. True if its database is proved to be that of this installation. */
    learn: (seen: ClusterMemory, chosen: ServerState | undefined): boolean => {
      const chosenInstallation = chosen === undefined || chosen.kind === 'away' ? undefined : chosen.installation;
      const isOwn = isProved(chosenInstallation);
      memory = { ...seen, installation: isOwn ? chosenInstallation : memory.installation };
      if (isOwn) isBound = true;
      // The file of an older version names no installation. What is seen of the cluster in it is kept all the same.
      const isOfFile = filed.system !== undefined && filed.system === memory.system;
      const isKept = memory.installation !== undefined || isOfFile;
      if (!isService || file === undefined || memory.system === undefined || !isKept) return isOwn;
      try {
        writeMemory(file, memory);
      } catch (error) {
        report(error as Error);
      }
      return isOwn;
    },
    /** Whatever it has answered before. */
    askStorage: mark.askAnew,
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
