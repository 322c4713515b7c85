// Copies something short, and says that it did.
import { useState } from 'preact/hooks';
import { Button } from '../parts/form-parts.tsx';

type Props = { readonly text: string; readonly label: string; readonly done: string };

export function CopyButton({ text, label, done }: Props) {
  const [isDone, setDone] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setDone(true);
    setTimeout(() => setDone(false), 2000);
  };
  return <Button onClick={copy}>{isDone ? done : label}</Button>;
}
