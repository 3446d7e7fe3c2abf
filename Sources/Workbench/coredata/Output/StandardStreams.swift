import Foundation

/// Standard input, output and error of a process that was perhaps started without them.
enum StandardStreams {
    /// Takes the places of closed ones, so that no file that is opened later gets the number of one and is written to.
    ///
    /// What takes the place is open in the other direction, so that using it still fails as it would.
    static func occupy() {
        for (descriptor, flags) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(descriptor, F_GETFD) == -1 {
            // The lowest number that is free is this one.
            _ = open("/dev/null", flags)
        }
    }
}
