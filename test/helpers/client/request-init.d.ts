// Lets the files of the service, which tests of the client start, be checked beside the types of browsers.
interface RequestInit {
  duplex?: 'half';
}
