import Foundation

/// A program beside the tests that is killed when the test process ends in any way, or before.
final class ServerProcess: @unchecked Sendable {
    private let process = Process()
    private let lifeline = Pipe()

    /// Starts a shell command as the unprivileged user; the command `farewell` runs as the tests' user after the program was
    /// killed.
    convenience init(
        _ command: String, environment: [String: String] = [:], log: String, farewell: String = ":"
    ) throws {
        try self.init(
            ownUser: PostgresServer.asUser(command), environment: environment, log: log, farewell: farewell)
    }

    /// Starts a shell command, which replaces its shell by the program, as the tests' user.
    init(ownUser command: String, environment: [String: String] = [:], log: String, farewell: String = ":") throws {
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        // `read` ends when this process ends.
        process.arguments = [
            "-c",
            "\(command) </dev/null >>'\(log)' 2>&1 & pid=$!; read line; kill -KILL $pid; \(farewell)",
        ]
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = lifeline
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard fcntl(lifeline.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC) == 0 else {
            throw CocoaError(.fileReadUnknown)
        }
        try process.run()
        try? lifeline.fileHandleForReading.close()
    }

    deinit { kill() }

    /// Kills the program, and waits until `farewell` has run.
    func kill() {
        guard process.isRunning else { return }
        try? lifeline.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
