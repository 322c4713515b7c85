// The frame of the app: the album for signed-in users, a welcome with the sign-in for others.
import { Protected, SignIn, useGatehouse } from '@gatehouse/react';
import { Album } from './album.tsx';

export function App() {
  return (
    <>
      <Header />
      <main>
        <Protected fallback={<Welcome />} loading={<p className="quiet">One moment …</p>}>
          <Album />
        </Protected>
      </main>
    </>
  );
}

function Header() {
  const { user, signOut } = useGatehouse();
  return (
    <header>
      <h1>
        <img src="/src/icon.svg" alt="" width={32} height={32} /> Photo album
      </h1>
      {user !== undefined && (
        <p>
          <span>{user.phone ?? user.email}</span>
          <button type="button" className="plain" onClick={() => signOut().catch(({ message }) => alert(message))}>
            Sign out
          </button>
        </p>
      )}
    </header>
  );
}

function Welcome() {
  return (
    <div className="welcome">
      <section aria-labelledby="pitch">
        <h2 id="pitch">Every picture, in one place.</h2>
        <p>
          Sign in with your phone. Your pictures stay yours: only you can open them, and what your camera wrote into
          them is removed.
        </p>
      </section>
      <SignIn methods={['phone', 'email']} />
    </div>
  );
}
