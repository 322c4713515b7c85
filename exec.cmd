@rem npm scripts begin with exec, so that shells of POSIX systems pass signals on; here it only runs what follows.
@%*
