/// Ends a command with an exit code of its own, after what it has printed.
struct ExitStatus: Error {
    let code: Int32
    /// The error to report on standard error; nil if the output suffices.
    var cause: (any Error)?
}
