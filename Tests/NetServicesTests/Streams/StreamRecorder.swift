import Foundation
import TestBasics

/// A delegate of streams that records events, reads what comes and writes what it was given, as fast as the stream takes it.
final class StreamRecorder: NSObject, StreamDelegate, @unchecked Sendable {
    private let lock = NSLock()
    private var recorded: [Stream.Event] = []
    private var read = Data()
    private var unwritten: Data
    private var writes = 0
    private let rest: TimeInterval

    /// - Parameter rest: Seconds to wait before each read.
    init(writing data: Data = Data(), rest: TimeInterval = 0) { (unwritten, self.rest) = (data, rest) }

    var events: [Stream.Event] { lock.withLock { recorded } }
    var received: Data { lock.withLock { read } }
    var writeCount: Int { lock.withLock { writes } }
    var isWritten: Bool { lock.withLock { unwritten.isEmpty } }

    func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
        lock.withLock { recorded.append(eventCode) }
        if eventCode == .hasBytesAvailable, let input = aStream as? InputStream {
            Thread.sleep(forTimeInterval: rest)
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            let count = input.read(&buffer, maxLength: buffer.count)
            if count > 0 { lock.withLock { read.append(contentsOf: buffer[..<count]) } }
        } else if eventCode == .hasSpaceAvailable, let output = aStream as? OutputStream {
            lock.withLock {
                guard !unwritten.isEmpty else { return }
                let count = unwritten.withUnsafeBytes { bytes in
                    output.write(bytes.bindMemory(to: UInt8.self).baseAddress!, maxLength: bytes.count)
                }
                guard count > 0 else { return }
                unwritten.removeFirst(count)
                writes += 1
            }
        }
    }
}

/// The streams that a listener handed out.
final class Accepted: @unchecked Sendable {
    private let lock = NSLock()
    private var pairs: [(InputStream, OutputStream)] = []

    var count: Int { lock.withLock { pairs.count } }
    var first: (input: InputStream, output: OutputStream)? { lock.withLock { pairs.first.map { ($0.0, $0.1) } } }

    func add(_ input: InputStream, _ output: OutputStream) { lock.withLock { pairs.append((input, output)) } }
    func removeAll() { lock.withLock { pairs = [] } }
}

extension OutputStream {
    /// Writes a text, after a wait while the stream takes nothing.
    func write(_ text: String) -> Int {
        let bytes = Array(text.utf8)
        return write(bytes, maxLength: bytes.count)
    }
}

extension InputStream {
    /// Reads until there are so many bytes, or the end.
    func text(_ count: Int) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: count)
        while bytes.count < count {
            let read = read(&buffer, maxLength: count - bytes.count)
            guard read > 0 else { break }
            bytes += buffer[..<read]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
