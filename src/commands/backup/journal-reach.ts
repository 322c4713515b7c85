// Says up to when a journal reaches: what happened after that is not in it, and is undone.

/** `moment`: of the backup, or the one that the database was set back to. */
export function journalReach(reachesTo: number | undefined, moment: string): string {
  if (reachesTo === undefined || reachesTo < Date.parse(moment))
    return `The journal ends before ${moment}: it does not contain deletions after that.`;
  return `The journal reaches to ${new Date(reachesTo).toISOString()}; deletions and blocks after that are undone.`;
}
