/// An error that ends a command with a certain exit code, after the command has printed its output.
struct ExitStatus: Error {
    let code: Int32
    /// The error to report on standard error; nil if the output suffices.
    var cause: (any Error)?
}
