import Foundation
import Testing

/// A child process of the tests, whose output can be read line by line.
package final class Child {
    private let process = Process()
    private let output = Pipe()
    private var unread = Data()

    /// The URL of an executable in the folder of the running one.
    package static func url(_ program: String) -> URL {
        URL(fileURLWithPath: Bundle.main.executablePath ?? CommandLine.arguments[0])
            .resolvingSymlinksInPath().deletingLastPathComponent().appendingPathComponent(program)
    }

    /// Starts the executable `StoreChild`.
    package convenience init(_ arguments: String...) throws { try self.init(arguments) }

    /// Starts a program; `errors` receives its standard error.
    package init(
        _ arguments: [String], of program: URL = Child.url("StoreChild"), environment: [String: String] = [:],
        errors: FileHandle = .standardError
    ) throws {
        process.executableURL = program
        process.standardError = errors
        process.arguments = arguments
        // Swift's backtrace program, started when a process crashes, inherits the pipe and may never end.
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
            .merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        // Otherwise other child processes would inherit the pipe, and a reader would see its end only after they end.
        for end in [output.fileHandleForReading, output.fileHandleForWriting] {
            guard fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC) == 0 else { throw CocoaError(.fileReadUnknown) }
        }
        try process.run()
        // While this process has the writing end open, the pipe does not end with the child.
        try output.fileHandleForWriting.close()
    }

    deinit { if process.isRunning { kill() } }

    /// The result of waiting for a child's output.
    package enum Word {
        case line(String)
        /// The child has closed its output, usually because it has ended.
        case end
        case silence
    }

    /// Reads the next complete line; each wait for output lasts at most the milliseconds given.
    package func word(within milliseconds: Int32) -> Word {
        while true {
            if let end = unread.firstIndex(of: 10) {
                defer { unread = Data(unread[(end + 1)...]) }
                return .line(String(decoding: unread[..<end], as: UTF8.self))
            }
            var request = pollfd(fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&request, 1, milliseconds)
            guard ready >= 0 || errno == EINTR else { return .end }
            guard ready != 0 else { return .silence }
            guard ready > 0 else { continue }
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { return .end }
            unread.append(more)
        }
    }

    /// The next complete line; nil if the child has closed its output or writes nothing for the given milliseconds.
    package func line(within milliseconds: Int32 = 60_000) -> String? {
        guard case .line(let line) = word(within: milliseconds) else { return nil }
        return line
    }

    /// All further lines until the child ends. The limit of 15 minutes a line suits a child that compares 2,000 stores.
    package func lines() -> [String] {
        var lines: [String] = []
        while let line = line(within: 900_000) { lines.append(line) }
        return lines
    }

    /// Sends a signal to the child.
    package func send(_ signal: Int32) { sendSignal(signal, to: process) }

    /// Sends SIGKILL to the child and waits until it has ended.
    package func kill() {
        sendSignal(SIGKILL, to: process)
        process.waitUntilExit()
    }

    /// Waits for the child to end, and kills it after the limit; returns its exit status, or the negated signal that
    /// ended it.
    package func status(within limit: Duration = .seconds(120)) -> Int {
        process.waitUntilExit(within: limit)
        let status = Int(process.terminationStatus)
        return process.terminationReason == .exit ? status : -status
    }
}

/// A function outside `Child`, since in the class `kill` means the method and not the C function.
private func sendSignal(_ signal: Int32, to process: Process) { kill(process.processIdentifier, signal) }
