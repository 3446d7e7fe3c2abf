import CSpawn
import Foundation

/// The standard streams of a child process as pipes that only the two sides have.
final class ProgramStreams {
    private static let errorLimit = 64 << 10

    private let program: HelperProgram
    /// This process's ends: of standard input, output and error. -1 where closed.
    private var ends: [Int32] = [-1, -1, -1]
    /// The child's ends.
    private var childEnds: [Int32] = [-1, -1, -1]

    private(set) var output = Data()
    private(set) var errors = Data()

    init(program: HelperProgram) throws {
        self.program = program
        for stream in 0..<3 {
            var pair: [Int32] = [-1, -1]
            let code = cspawn_pipe(&pair)
            guard code == 0 else { throw failure(code) }
            ends[stream] = stream == 0 ? pair[1] : pair[0]
            childEnds[stream] = stream == 0 ? pair[0] : pair[1]
            _ = fcntl(ends[stream], F_SETFL, O_NONBLOCK)
        }
    }

    deinit {
        for descriptor in ends + childEnds where descriptor >= 0 { close(descriptor) }
    }

    private func failure(_ code: Int32) -> ProgramFailure {
        ProgramFailure(
            program: program.name, package: program.package, reason: .notStarted(String(cString: strerror(code))))
    }

    /// Starts a command as the leader of a process group of its own.
    func spawn(_ command: [String], folder: String, environment: [String]) throws -> pid_t {
        var process: pid_t = 0
        let words = command.map { strdup($0) } + [nil]
        let variables = environment.map { strdup($0) } + [nil]
        defer { for word in words + variables { free(word) } }
        let code = cspawn_start(&process, words, variables, folder, childEnds)
        for stream in 0..<3 { closeEnd(&childEnds[stream]) }
        guard code == 0 else { throw failure(code) }
        return process
    }

    private func closeEnd(_ descriptor: inout Int32) {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }

    /// Writes the input and reads both outputs until the child has closed them.
    ///
    /// - Throws: `ProgramFailure.Reason` of the limit that was passed.
    func exchange(_ input: Data, limit: ProgramLimits, until deadline: DispatchTime) throws(ProgramFailure.Reason) {
        var written = 0
        if input.isEmpty { closeEnd(&ends[0]) }
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while ends[1] >= 0 || ends[2] >= 0 {
            let now = DispatchTime.now()
            guard now < deadline else { throw ProgramFailure.Reason.timeLimit(limit.seconds) }
            let left = Int32(clamping: (deadline.uptimeNanoseconds - now.uptimeNanoseconds) / 1_000_000 + 1)
            var requests = [
                pollfd(fd: ends[0], events: Int16(POLLOUT), revents: 0),
                pollfd(fd: ends[1], events: Int16(POLLIN), revents: 0),
                pollfd(fd: ends[2], events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&requests, 3, left) > 0 else { continue }
            if requests[0].revents != 0 { write(input, &written) }
            if requests[1].revents != 0 {
                output.append(contentsOf: read(&ends[1], &buffer))
                guard output.count <= limit.output else { throw ProgramFailure.Reason.outputLimit(limit.output) }
            }
            if requests[2].revents != 0 {
                errors.append(contentsOf: read(&ends[2], &buffer).prefix(Self.errorLimit - errors.count))
            }
        }
        closeEnd(&ends[0])
    }

    private func read(_ descriptor: inout Int32, _ buffer: inout [UInt8]) -> ArraySlice<UInt8> {
        let count = Foundation.read(descriptor, &buffer, buffer.count)
        if count > 0 { return buffer[..<count] }
        if count == 0 || (errno != EINTR && errno != EAGAIN) { closeEnd(&descriptor) }
        return []
    }

    /// Writes a part of the input; closes the stream after the last, or where the child reads no more.
    private func write(_ input: Data, _ written: inout Int) {
        let count = input.withUnsafeBytes { bytes in
            cspawn_write(ends[0], bytes.baseAddress.map { $0 + written }, bytes.count - written)
        }
        if count > 0 { written += count }
        if written == input.count || (count < 0 && errno != EINTR && errno != EAGAIN) { closeEnd(&ends[0]) }
    }
}
