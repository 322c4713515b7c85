// The operator's brand, as the pages show it.
import { facts } from './page-data.ts';

export const { brand, isLocal } = facts;
