import Foundation

extension HelperProgram {
    /// Runs the program and waits until it has ended.
    ///
    /// - Parameters:
    ///   - arguments: The arguments, without the program's name.
    ///   - input: What the program reads from standard input.
    ///   - folder: The working folder; a folder that is empty and removed afterwards by default.
    ///   - environment: Variables beside `PATH`, `HOME`, `TMPDIR` and `LANG`, which are all that the program has of the environment.
    ///   - limits: What it may use.
    /// - Returns: The output of a program that ended by itself, with whatever status.
    /// - Throws: `ProgramFailure` if it is missing, cannot be started, or was ended by a limit or a signal.
    /// - Note: Blocks the calling thread, which must not be one of Swift's concurrency; there call `output`.
    package func run(
        _ arguments: [String], input: Data = Data(), folder: URL? = nil, environment: [String: String] = [:],
        limits: ProgramLimits = ProgramLimits()
    ) throws -> ProgramOutput {
        try ProgramRun(self, arguments, input: input, folder: folder, environment: environment, limits: limits)
            .outcome()
    }

    /// Runs the program without blocking the caller; when the task is cancelled the program is ended.
    ///
    /// - Throws: As `run`; `CancellationError` if the task was cancelled.
    package func output(
        _ arguments: [String], input: Data = Data(), folder: URL? = nil, environment: [String: String] = [:],
        limits: ProgramLimits = ProgramLimits()
    ) async throws -> ProgramOutput {
        let run = ProgramRun(self, arguments, input: input, folder: folder, environment: environment, limits: limits)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                Self.queue.async { continuation.resume(with: Result { try run.outcome() }) }
            }
        } onCancel: {
            run.cancel()
        }
    }

    private static let queue = DispatchQueue(label: "ProgramKit", attributes: .concurrent)
}
