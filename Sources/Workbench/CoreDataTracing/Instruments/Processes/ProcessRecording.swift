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
    /// Why the file could not be written.
    private let writeFailure = Mutex<InspectionError?>(nil)

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
            throw Self.unwritable(file)
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

    /// Why the file could not be written; nil if all received data is in the file so far.
    package var failure: InspectionError? { writeFailure.withLock { $0 } }

    /// Stops the recording and waits until the received data is in the file.
    ///
    /// - Throws: `InspectionError` if not all received data could be written, also if the recording is over already. The
    ///   file then has the trace up to the failure.
    package func stop() throws {
        isStopped.store(true, ordering: .releasing)
        done.wait()
        done.signal()
        if let failure { throw failure }
    }

    private static func unwritable(_ file: URL, _ error: (any Error)? = nil) -> InspectionError {
        guard let error else {
            return InspectionError(
                .unreadable, subject: file.path, cause: "the trace cannot be written",
                hint: "see that its folder can be written")
        }
        return InspectionError(
            .unreadable, subject: file.path, cause: "the trace cannot be written: \(ErrorText.line(for: error))",
            hint: "see that there is room for it; the file has what was recorded before")
    }

    /// Truncates a trace after its last complete block and appends an end block; does nothing if it has an end block.
    private static func end(_ file: URL) throws {
        let handle = try FileHandle(forUpdating: file)
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
        guard try handle.seekToEnd() >= place else { return }
        try handle.truncate(atOffset: place)
        try handle.write(contentsOf: Data(TraceFormat.block(.end, [])))
    }

    private func copy(into handle: FileHandle) {
        do {
            try copyBlocks(into: handle)
            try handle.close()
            // A process that exits writes the end block itself. After `stop()` it is missing, though the trace is
            // complete.
            if isStopped.load(ordering: .acquiring) { try Self.end(file) }
        } catch {
            writeFailure.withLock { $0 = Self.unwritable(file, error) }
            try? handle.close()
        }
        isOver.store(true, ordering: .releasing)
        done.signal()
    }

    private func copyBlocks(into handle: FileHandle) throws {
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        while !isStopped.load(ordering: .acquiring) {
            let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            if count < 0, errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR { continue }
            guard count > 0 else { return }
            try handle.write(contentsOf: Data(buffer[..<count]))
        }
    }
}
