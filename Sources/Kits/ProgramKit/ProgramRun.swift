import Foundation
import LockKit

/// One run of a helper program: a process group of its own, which gets no descriptor of this process but its three streams.
final class ProgramRun: Sendable {
    private let program: HelperProgram
    private let arguments: [String]
    private let input: Data
    private let folder: URL?
    private let environment: [String: String]
    private let limits: ProgramLimits
    private let state = Locked(State())

    private struct State {
        var process: pid_t?
        var isCancelled = false
    }

    init(
        _ program: HelperProgram, _ arguments: [String], input: Data, folder: URL?, environment: [String: String],
        limits: ProgramLimits
    ) {
        self.program = program
        self.arguments = arguments
        self.input = input
        self.folder = folder
        self.environment = environment
        self.limits = limits
    }

    /// Ends the program if it runs, and keeps it from starting otherwise.
    func cancel() {
        state.withLock {
            $0.isCancelled = true
            if let process = $0.process { kill(-process, SIGKILL) }
        }
    }

    func outcome() throws -> ProgramOutput {
        let url = try program.located()
        let scratch = FileManager.default.temporaryDirectory.appendingPathComponent(
            "coredata-\(program.name)-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: scratch, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: scratch) }
        let streams = try ProgramStreams(program: program)
        var command = Self.limiting(limits)
        command.append(url.path)
        let process = try spawn(command + arguments, scratch: scratch, streams: streams)
        let deadline = DispatchTime.now() + limits.seconds
        var failure: ProgramFailure.Reason?
        do { try streams.exchange(input, limit: limits, until: deadline) } catch { failure = error }
        let status = end(process, until: failure == nil ? deadline : .now())
        if state.withLock({ $0.isCancelled }) { throw CancellationError() }
        if failure == nil, status == nil { failure = .timeLimit(limits.seconds) }
        if let failure { throw ProgramFailure(program: program.name, package: program.package, reason: failure) }
        return try output(status ?? 0, streams)
    }

    /// The output of a program that ended with a status of `waitpid`.
    private func output(_ status: Int32, _ streams: ProgramStreams) throws -> ProgramOutput {
        let signal = status & 0x7f
        guard signal == 0 else {
            throw ProgramFailure(program: program.name, package: program.package, reason: .signal(signal))
        }
        return ProgramOutput(
            standardOutput: streams.output, standardError: String(decoding: streams.errors, as: UTF8.self),
            status: (status >> 8) & 0xff)
    }

    /// Waits until the program has ended, and ends it and what it started at the deadline. Nil if it had to be ended.
    private func end(_ process: pid_t, until deadline: DispatchTime) -> Int32? {
        var status: Int32 = 0
        var pause: UInt32 = 200
        var isLate = false
        while true {
            let ended = waitpid(process, &status, WNOHANG)
            if ended == process || (ended < 0 && errno != EINTR) { break }
            if !isLate, DispatchTime.now() >= deadline {
                isLate = true
                kill(-process, SIGKILL)
            }
            usleep(pause)
            pause = min(pause * 2, 10_000)
        }
        state.withLock {
            $0.process = nil
            // What the program has started and left behind.
            kill(-process, SIGKILL)
        }
        return isLate ? nil : status
    }

    /// The words before a command that limit it: `prlimit` of util-linux, which every Debian system has.
    private static func limiting(_ limits: ProgramLimits) -> [String] {
        guard let prlimit = ProgramSearch.find("prlimit") else { return [] }
        return [
            prlimit.path, "--as=\(limits.memory)", "--cpu=\(limits.processorSeconds)", "--fsize=\(limits.fileSize)",
            "--core=0", "--",
        ]
    }

    private func spawn(_ command: [String], scratch: URL, streams: ProgramStreams) throws -> pid_t {
        let folder = folder?.path ?? scratch.path
        var variables = [
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "HOME": scratch.path,
            "TMPDIR": scratch.path,
            "LANG": "C.UTF-8",
        ]
        variables.merge(environment) { $1 }
        return try state.withLock { state in
            guard !state.isCancelled else { throw CancellationError() }
            let process = try streams.spawn(command, folder: folder, environment: variables.map { "\($0)=\($1)" })
            state.process = process
            return process
        }
    }
}
