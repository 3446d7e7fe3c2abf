import CoreData

/// Runs Graphviz's program `dot` as a child process.
enum GraphvizProcess {
    /// The time in seconds after which the process is killed.
    private static let timeLimit = 120.0

    static func failure(_ cause: String) -> InspectionError {
        InspectionError(.unreadable, subject: "dot", cause: cause, hint: "write a .dot file, which needs no layout")
    }

    /// Runs `dot` on a text and returns its output.
    ///
    /// - Throws: `InspectionError` if it is missing, fails, or takes too long.
    static func run(_ arguments: [String], input: String) throws -> Data {
        guard let program = ProgramSearch.find("dot") else {
            throw InspectionError(
                .unreadable, subject: "dot", cause: "Graphviz, which arranges the drawing, is not installed",
                hint: "'apt-get install graphviz' installs it; a .dot file can be written without it")
        }
        let folder = try ScratchFolder()
        defer { withExtendedLifetime(folder) {} }
        // Files are used rather than pipes, so that neither process can block the other.
        let files = ["input", "output"].map { folder.file($0) }
        try Data(input.utf8).write(to: files[0])
        try Data().write(to: files[1])
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.standardInput = try FileHandle(forReadingFrom: files[0])
        process.standardOutput = try FileHandle(forWritingTo: files[1])
        process.standardError = FileHandle.nullDevice
        do { try process.run() } catch { throw failure("it cannot be started: \(error.localizedDescription)") }
        let deadline = DispatchWorkItem { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        DispatchQueue.global().asyncAfter(deadline: .now() + timeLimit, execute: deadline)
        process.waitUntilExit()
        deadline.cancel()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            throw failure("it failed or took too long")
        }
        return try Data(contentsOf: files[1])
    }
}
