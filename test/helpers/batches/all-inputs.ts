// Inputs for every operation of the store. A new operation without inputs does not compile.
import { houseInputs } from './house-inputs.ts';
import type { AllInputs } from './inputs.ts';
import { signInInputs } from './sign-in-inputs.ts';
import { userInputs } from './user-inputs.ts';

export const allInputs: AllInputs = { ...signInInputs, ...userInputs, ...houseInputs };
