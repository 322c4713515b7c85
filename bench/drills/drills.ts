// The list of all drills. The first has no fault: it shows what the load looks like when nothing is wrong.
import type { Drill } from './drill.ts';
import { clockDrills, haproxyDrills, nodeDrills } from './faults/nodes.ts';
import { postgresDrills, standbyDrills } from './faults/postgres.ts';
import { mailDrills, s3Drills, smsDrills } from './faults/providers.ts';

export const drills: readonly Drill[] = [
  { part: 'nothing', fault: 'no fault', how: 'nothing is broken', begin: async () => async () => undefined },
  ...postgresDrills,
  ...standbyDrills,
  ...nodeDrills,
  ...haproxyDrills,
  ...smsDrills,
  ...mailDrills,
  ...s3Drills,
  ...clockDrills,
];
