import Foundation
import Testing

/// Another process of the tests, whose lines of output can be read one by one.
package final class Child {
    private let process = Process()
    private let output = Pipe()
    private var unread = Data()

    /// A program that is built beside the running one.
    package static func url(_ program: String) -> URL {
        URL(fileURLWithPath: Bundle.main.executablePath ?? CommandLine.arguments[0])
            .resolvingSymlinksInPath().deletingLastPathComponent().appendingPathComponent(program)
    }

    /// Starts the executable `StoreChild`.
    package convenience init(_ arguments: String...) throws { try self.init(arguments) }

    /// Starts a program; `errors` takes what it writes to standard error.
    package init(
        _ arguments: [String], of program: URL = Child.url("StoreChild"), environment: [String: String] = [:],
        errors: FileHandle = .standardError
    ) throws {
        process.executableURL = program
        process.standardError = errors
        process.arguments = arguments
        // The program that Swift starts for a process that crashes has the pipe too, and may never end.
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
            .merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        // A process that is started elsewhere meanwhile would keep the pipe open, and a reader would wait for its end.
        for end in [output.fileHandleForReading, output.fileHandleForWriting] {
            guard fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC) == 0 else { throw CocoaError(.fileReadUnknown) }
        }
        try process.run()
        // Ours keeps the pipe from ending with the child.
        try output.fileHandleForWriting.close()
    }

    deinit { if process.isRunning { kill() } }

    /// What there is to hear of a child.
    package enum Word {
        case line(String)
        /// The child has closed its output: it has ended, or is about to.
        case end
        case silence
    }

    /// The next complete line, or why it is missing.
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

    /// The next complete line; nil once the child has ended, or is silent for the given milliseconds.
    package func line(within milliseconds: Int32 = 60_000) -> String? {
        guard case .line(let line) = word(within: milliseconds) else { return nil }
        return line
    }

    /// All further lines, until the child ends; comparing two thousand stores takes minutes on a busy machine.
    package func lines() -> [String] {
        var lines: [String] = []
        while let line = line(within: 900_000) { lines.append(line) }
        return lines
    }

    /// Sends the child a signal that it may answer.
    package func send(_ signal: Int32) { sendSignal(signal, to: process) }

    /// Ends the child as a crash would, if it has not ended, and waits until it is gone.
    package func kill() {
        sendSignal(SIGKILL, to: process)
        process.waitUntilExit()
    }

    /// Waits for the child's own end; gives its status, negative for a signal. A child that takes longer is killed.
    package func status(within limit: Duration = .seconds(120)) -> Int {
        process.waitUntilExit(within: limit)
        let status = Int(process.terminationStatus)
        return process.terminationReason == .exit ? status : -status
    }
}

/// Outside of the class, whose own `kill` stands before the system's.
private func sendSignal(_ signal: Int32, to process: Process) { kill(process.processIdentifier, signal) }
