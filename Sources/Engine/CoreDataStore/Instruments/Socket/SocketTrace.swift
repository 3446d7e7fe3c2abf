import CoreDataModeling
import Synchronization

/// A recording that is sent to the connected process.
///
/// A client that reads too slowly blocks a write for at most two seconds; then the write fails and the recording ends.
final class SocketTrace: TraceSink {
    private static let patience = 2
    private let descriptor: Mutex<Int32?>

    init(_ descriptor: Int32) {
        self.descriptor = Mutex(descriptor)
        var wait = timeval(tv_sec: Self.patience, tv_usec: 0)
        _ = setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
    }

    func write(_ bytes: [UInt8]) -> Bool {
        descriptor.withLock { descriptor in
            guard let descriptor else { return false }
            return bytes.withUnsafeBytes { buffer in
                var place = 0
                while place < buffer.count {
                    let sent = send(
                        descriptor, UnsafeRawBufferPointer(rebasing: buffer[place...]).baseAddress,
                        buffer.count - place, Self.flags)
                    if sent < 0, errno == EINTR { continue }
                    guard sent > 0 else { return false }
                    place += sent
                }
                return true
            }
        }
    }

    func close() {
        let open = descriptor.withLock { $0.take() }
        guard let open else { return }
        _ = shutdown(open, Int32(SHUT_WR))
        _ = closeDescriptor(open)
    }

    private func closeDescriptor(_ number: Int32) -> Int32 { InstrumentSocket.closeDescriptor(number) }

    #if canImport(Darwin)
        private static let flags: Int32 = 0
    #else
        /// Sending to a client that has disconnected must not raise `SIGPIPE`.
        private static let flags = Int32(MSG_NOSIGNAL)
    #endif
}
