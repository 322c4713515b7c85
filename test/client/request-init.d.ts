// Lets the service's own files, which tests of the client start, be checked beside the types of browsers.
interface RequestInit {
  duplex?: 'half';
}
