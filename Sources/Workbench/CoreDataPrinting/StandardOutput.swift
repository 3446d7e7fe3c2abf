import CoreDataWorkbench

/// Why the output cannot be written.
package enum OutputError: Error, CustomStringConvertible {
    /// The reader has closed its end of the pipe.
    case closed
    case failed(Int32)

    package var description: String {
        switch self {
        case .closed: "the output was closed"
        case .failed(let code): "the output cannot be written: \(String(cString: strerror(code)))"
        }
    }
}

/// Buffered standard output, which is written in blocks.
package final class StandardOutput {
    private static let blockSize = 1 << 16
    private let descriptor: Int32
    private var pending: [UInt8] = []
    private var failure: OutputError?

    package init(descriptor: Int32 = STDOUT_FILENO) { self.descriptor = descriptor }

    /// Adds text to the buffer; `check()` and `flush()` throw an error of writing a block.
    package func write(_ text: String) {
        guard failure == nil else { return }
        pending.append(contentsOf: text.utf8)
        if pending.count >= Self.blockSize { send() }
    }

    /// Adds bytes of UTF-8.
    package func write(_ bytes: UnsafeRawBufferPointer) {
        guard failure == nil else { return }
        pending.append(contentsOf: bytes)
        if pending.count >= Self.blockSize { send() }
    }

    /// Adds a line.
    package func line(_ text: String) { write(text + "\n") }

    /// Adds a line for people, in the language of the run.
    package func say(_ english: String) { line(RunLanguage.text(english)) }

    /// Adds a JSON array with one line for each element.
    package func list(_ elements: [JSONValue]) {
        guard !elements.isEmpty else { return line("[]") }
        line("[\n" + elements.map(JSONWriter.line).joined(separator: ",\n") + "\n]")
    }

    /// - Throws: `OutputError` if a block could not be written, so that long work can stop.
    package func check() throws {
        if let failure { throw failure }
    }

    /// Writes the buffered bytes.
    ///
    /// - Throws: `OutputError`.
    package func flush() throws {
        if failure == nil { send() }
        try check()
    }

    /// - Throws: `OutputError` if the system reports that the output no longer has a reader.
    package func checkReader() throws {
        var request = pollfd(fd: descriptor, events: 0, revents: 0)
        guard poll(&request, 1, 0) > 0, request.revents & Int16(POLLERR) != 0 else { return }
        throw OutputError.closed
    }

    private func send() {
        let code = Descriptor.write(pending, to: descriptor)
        pending.removeAll(keepingCapacity: true)
        if code != 0 { failure = code == EPIPE ? .closed : .failed(code) }
    }
}

/// Standard error, which is written line by line.
package enum StandardError {
    private static let passwords = ConcealedPasswords(Array(CommandLine.arguments.dropFirst()))

    /// Writes a line in the language of the run, without the passwords on the command line; an error of writing it cannot be reported anywhere.
    package static func write(_ line: String) {
        _ = Descriptor.write(Array((passwords.conceal(in: RunLanguage.line(line)) + "\n").utf8), to: STDERR_FILENO)
    }
}

private enum Descriptor {
    /// Writes all bytes; returns 0, or `errno` if that fails.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        bytes.withUnsafeBytes { buffer in
            var start = 0
            while start < buffer.count {
                let count = systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: buffer[start...]))
                if count > 0 { start += count }
                if count < 0, errno == EAGAIN { waitUntilWritable(descriptor) }
                if count < 0, errno != EINTR, errno != EAGAIN { return errno }
            }
            return 0
        }
    }

    /// Waits until a non-blocking descriptor, whose reader is slower than this process, can be written again.
    private static func waitUntilWritable(_ descriptor: Int32) {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&request, 1, -1)
        errno = EAGAIN
    }
}

private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
    write(descriptor, buffer.baseAddress, buffer.count)
}
