import CoreData
import Synchronization

/// The recording of another process into a file, until it is stopped or the process ends.
package final class ProcessRecording: Sendable {
    package let process: Int32
    package let file: URL
    private let descriptor: Int32
    private let isStopped = Atomic(false)
    private let isOver = Atomic(false)
    private let done = DispatchSemaphore(value: 0)

    /// Connects to a process and starts a thread that copies the process's trace into the file.
    ///
    /// - Throws: `InspectionError` if the process does not accept recording or is another user's, or if the file cannot
    ///   be created.
    package init(of process: Int32, into file: URL) throws {
        let socket = InstrumentFolder.socket(of: process, in: try InstrumentedProcess.folder())
        guard let descriptor = LocalSocket.connected(to: socket.path) else {
            throw InspectionError(
                .unreadable, subject: "process \(process)", cause: "it does not accept recording",
                hint: "start it with OPENCOREDATA_INSTRUMENTS=1; 'coredata instruments' lists those that do")
        }
        guard LocalSocket.isOfThisUser(descriptor) else {
            close(descriptor)
            throw InspectionError(.unreadable, subject: socket.path, cause: "it is another user's")
        }
        guard FileManager.default.createFile(atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600]),
            let handle = FileHandle(forWritingAtPath: file.path)
        else {
            close(descriptor)
            throw InspectionError(
                .unreadable, subject: file.path, cause: "the trace cannot be written",
                hint: "see that its folder can be written")
        }
        self.process = process
        self.file = file
        self.descriptor = descriptor
        var wait = timeval(tv_sec: 0, tv_usec: 100_000)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
        Thread.detachNewThread { self.copy(into: handle) }
    }

    /// Whether the file is final: the process has ended, the recording was stopped, or writing the file failed.
    package var isFinished: Bool { isOver.load(ordering: .acquiring) }

    /// Stops the recording and waits until the received data is in the file.
    package func stop() {
        isStopped.store(true, ordering: .releasing)
        done.wait()
        done.signal()
    }

    /// Truncates a trace after its last complete block and appends an end block; does nothing if it has an end block.
    private static func end(_ file: URL) {
        guard let handle = try? FileHandle(forUpdating: file) else { return }
        defer { try? handle.close() }
        var place = UInt64(TraceFormat.headerSize)
        while true {
            guard (try? handle.seek(toOffset: place)) != nil,
                let head = try? handle.read(upToCount: TraceFormat.blockHeaderSize),
                head.count == TraceFormat.blockHeaderSize
            else { break }
            let kind = head.withUnsafeBytes { UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self)) }
            let size = head.withUnsafeBytes {
                UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
            }
            if kind == TraceFormat.Block.end.rawValue { return }
            let next = place + UInt64(TraceFormat.blockHeaderSize) + UInt64(size)
            guard let length = try? handle.seekToEnd(), next <= length else { break }
            place = next
        }
        guard let length = try? handle.seekToEnd(), length >= place else { return }
        try? handle.truncate(atOffset: place)
        try? handle.write(contentsOf: Data(TraceFormat.block(.end, [])))
    }

    private func copy(into handle: FileHandle) {
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        while !isStopped.load(ordering: .acquiring) {
            let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            if count < 0, errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR { continue }
            guard count > 0 else { break }
            do { try handle.write(contentsOf: Data(buffer[..<count])) } catch { break }
        }
        close(descriptor)
        try? handle.close()
        // A process that exits writes the end block itself. After `stop()` it is missing, though the trace is complete.
        if isStopped.load(ordering: .acquiring) { Self.end(file) }
        isOver.store(true, ordering: .releasing)
        done.signal()
    }
}
