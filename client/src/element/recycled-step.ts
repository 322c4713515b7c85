// Asks whose account it is: the owner signs in by e-mail, a new holder of the number starts a new account. The address is not shown.
import { fill } from './element-facts.ts';
import { createTask, makeButton, makeLead, makeNotice, makeTitle } from './form-parts.ts';
import { make } from './make.ts';
import type { Scene, Step, View } from './scene.ts';

type Wanted = Extract<Step, { name: 'recycled' | 'claim' }>;

export function showRecycledStep({ facts: { texts }, methods, go }: Scene, { phone, ticket }: Wanted): View {
  const title = makeTitle(texts.recycledTitle);
  const node = make(
    'div',
    { class: 'step' },
    title,
    makeLead(fill(texts.recycledLead, 'recipient', phone)),
    methods.includes('email') && makeButton('primary', texts.recycledMine, () => go({ name: 'email' })),
    makeButton('plain', texts.recycledNew, () => go({ name: 'claim', phone, ticket })),
    makeButton('quiet', texts.change, () => go({ name: 'phone' })),
  );
  return { node, focus: title };
}

export function showClaimStep(scene: Scene, { phone, ticket }: Wanted): View {
  const { client, facts, go } = scene;
  const { texts } = facts;
  const bad = makeNotice('bad');
  const title = makeTitle(texts.claimQuestion);
  // The event `signed-in` of the client leads to the last step.
  const yes = makeButton('primary', texts.claimYes, () => void run(() => client.phone.claim(ticket)));
  const run = createTask({ scene, notice: bad, button: yes });
  const node = make(
    'div',
    { class: 'step' },
    title,
    makeLead(texts.claimLead),
    bad.node,
    yes,
    makeButton('quiet', texts.cancel, () => go({ name: 'recycled', phone, ticket })),
  );
  return { node, focus: title };
}
