/// Ends a command with an exit code of its own, after what it has printed.
struct ExitStatus: Error {
    let code: Int32
    /// What to tell on standard error; nil where the output says it all.
    var cause: (any Error)?
}
