import Foundation
import LockKit
import PeerKit

/// Keeps the machine from going to sleep for want of input while it is held: during a game, for instance, whose players
/// wait for each other.
///
/// It asks logind by the program `systemd-inhibit`, which holds the inhibitor until this process releases it, or ends
/// in any way. Where the system has no logind, `hold` says so, and nothing else depends on it.
///
/// Invariants:
/// 1. `held` is there from a `hold` that succeeded to the `release` after it.
public final class IdleInhibitor: Sendable {
    private struct Held {
        let process: Process
        /// The program ends when this end is closed.
        let lifeline: FileHandle
    }
    /// Seconds for which an answer is awaited.
    private static let patience: Int32 = 10
    private static let program = "systemd-inhibit"

    private let owner: String
    private let reason: String
    private let held = Locked<Held?>(nil)

    /// Makes an inhibitor that is not held.
    ///
    /// - Parameters:
    ///   - owner: The name of the program, as the system's lists of inhibitors show it.
    ///   - reason: Why the machine stays awake, for people.
    public init(owner: String = ProcessInfo.processInfo.processName, reason: String) {
        (self.owner, self.reason) = (owner, reason)
    }

    deinit { release() }

    /// Whether the inhibitor is held.
    public var isHeld: Bool { held.withLock { $0?.process.isRunning == true } }

    /// Holds the inhibitor; no effect if it is held. It waits for the system's answer, for at most ten seconds.
    ///
    /// - Throws: ``MCError`` with `unavailable` if the system has no inhibitors, or refuses this one.
    public func hold() throws {
        try held.withLock { held in
            guard held?.process.isRunning != true else { return }
            held = try start()
        }
    }

    /// Releases the inhibitor, and waits until the system has been asked to; no effect if it is not held.
    public func release() {
        let last = held.withLock { held in
            defer { held = nil }
            return held
        }
        guard let last else { return }
        try? last.lifeline.close()
        last.process.waitUntilExit()
    }

    private func start() throws -> Held {
        guard let url = Self.url else {
            throw Self.error("the program \(Self.program) is not installed")
        }
        let (process, input, output, errors) = (Process(), Pipe(), Pipe(), Pipe())
        process.executableURL = url
        // The shell writes a line once the inhibitor is held, and reads until this process ends.
        process.arguments = [
            "--what=idle:sleep", "--mode=block", "--who=\(owner)", "--why=\(reason)", "/bin/sh", "-c",
            "echo held; read line; :",
        ]
        (process.standardInput, process.standardOutput, process.standardError) = (input, output, errors)
        // Other programs must not keep the pipes open.
        for handle in [input.fileHandleForWriting, output.fileHandleForReading, errors.fileHandleForReading] {
            _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)
        }
        do { try process.run() } catch {
            throw Self.error("\(Self.program) cannot be run: \(error.localizedDescription)")
        }
        try? input.fileHandleForReading.close()
        try? output.fileHandleForWriting.close()
        try? errors.fileHandleForWriting.close()
        guard Self.answer(output.fileHandleForReading).hasPrefix("held") else {
            process.terminate()
            process.waitUntilExit()
            throw Self.error(Self.answer(errors.fileHandleForReading))
        }
        return Held(process: process, lifeline: input.fileHandleForWriting)
    }

    /// The first bytes that a program writes; empty if it writes none in time.
    private static func answer(_ handle: FileHandle) -> String {
        var request = pollfd(fd: handle.fileDescriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, patience * 1_000) > 0 else { return "" }
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = read(handle.fileDescriptor, &bytes, bytes.count)
        let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        return text.split(separator: "\n").first.map(String.init) ?? ""
    }

    private static var url: URL? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":") + ["/usr/bin", "/bin"]
        return folders.map { URL(fileURLWithPath: "\($0)/\(program)") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    private static func error(_ cause: String) -> MCError {
        MCError(
            .unavailable, "the machine cannot be kept awake: \(cause.isEmpty ? "the system does not answer" : cause)",
            hint: "it needs logind (Debian's package systemd) on the system bus; nothing else depends on it")
    }
}
