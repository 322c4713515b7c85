// The album: the pictures of the user, newest first, and the upload of further ones.
import type { FileRecord } from '@gatehouse/client';
import { useGatehouse, useUpload } from '@gatehouse/react';
import { useEffect, useState } from 'react';

export function Album() {
  const { client } = useGatehouse();
  const [pictures, setPictures] = useState<readonly FileRecord[] | undefined>();
  const [problem, setProblem] = useState('');
  useEffect(() => {
    client.files.list({ limit: 60 }).then(
      ({ files }) => setPictures(files.filter(({ type }) => type.startsWith('image/'))),
      (error: Error) => setProblem(error.message),
    );
  }, [client]);

  const remove = async (id: string) => {
    try {
      await client.files.delete(id);
      setPictures((before = []) => before.filter((picture) => picture.id !== id));
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  return (
    <section aria-labelledby="album">
      <div className="bar">
        <h2 id="album">Your pictures</h2>
        <AddPicture onAdded={(picture) => setPictures((before = []) => [picture, ...before])} />
      </div>
      <p role="alert" className="problem">
        {problem}
      </p>
      {pictures?.length === 0 && <p className="empty">Your album is empty. Add the first picture.</p>}
      <ul className="grid">
        {pictures?.map(({ id, name }) => (
          <li key={id}>
            <a href={client.files.url(id)} target="_blank" rel="noreferrer">
              <img src={client.files.url(id)} alt={name} loading="lazy" />
            </a>
            <button type="button" className="remove" aria-label={`Delete ${name}`} onClick={() => void remove(id)}>
              ×
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function AddPicture({ onAdded }: { readonly onAdded: (picture: FileRecord) => void }) {
  const { upload, cancel, isRunning, progress, error } = useUpload('image');
  const add = async (file: File | undefined) => {
    const stored = file === undefined ? undefined : await upload(file);
    if (stored !== undefined) onAdded(stored);
  };
  return (
    <div className="add">
      {isRunning ? (
        <>
          <progress aria-label="Upload" value={progress} />
          <button type="button" className="plain" onClick={cancel}>
            Cancel
          </button>
        </>
      ) : (
        <label className="button">
          Add picture
          <input
            type="file"
            accept="image/jpeg,image/png,image/webp"
            onChange={({ target }) => {
              void add(target.files?.[0]);
              target.value = '';
            }}
          />
        </label>
      )}
      <p role="alert" className="problem">
        {error?.message}
      </p>
    </div>
  );
}
