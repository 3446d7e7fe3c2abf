import Foundation

/// Standard input, output and error of a process that may have been started without them.
package enum StandardStreams {
    /// Opens `/dev/null` for each closed descriptor, so that no file that is opened later gets the number of a standard
    /// stream and is written to.
    ///
    /// Each is opened for the opposite direction, so that using the stream still fails.
    package static func occupy() {
        for (descriptor, flags) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(descriptor, F_GETFD) == -1 {
            // `open` returns the lowest free number, which is this one.
            _ = open("/dev/null", flags)
        }
    }
}
