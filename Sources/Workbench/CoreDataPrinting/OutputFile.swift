import CoreDataExchange
import CoreDataWorkbench
import Synchronization

/// Writes a file under a temporary name beside its path, and renames it when it is complete. The temporary file is
/// removed if the process is interrupted.
package final class OutputFile {
    /// The temporary files that are being written, which the handler of interruptions removes.
    private static let temporaries = Mutex<Set<String>>([])

    private let path: String
    private let temporary: String
    private let output: StandardOutput
    private var descriptor: Int32

    /// - Throws: `InspectionError` if the file cannot be created.
    package init(_ path: String) throws {
        self.path = path
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        temporary = folder.appendingPathComponent(".\(UUID().uuidString).writing").path
        descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw Self.failure(path, errno) }
        output = StandardOutput(descriptor: descriptor)
        let temporary = temporary
        Self.temporaries.withLock { _ = $0.insert(temporary) }
    }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        unlink(temporary)
        forget()
    }

    /// Adds bytes.
    package func write(_ bytes: UnsafeRawBufferPointer) throws {
        output.write(bytes)
        try output.check()
    }

    /// Adds a line.
    package func line(_ text: String) throws {
        output.line(text)
        try output.check()
    }

    /// Writes the buffered bytes to the file.
    package func flush() throws { try output.flush() }

    /// Makes a folder if it does not exist.
    package static func makeFolder(_ path: String) throws {
        guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw failure(path, errno) }
    }

    /// Renames the complete file to its path, and replaces a file there.
    ///
    /// - Throws: `InspectionError` if the file cannot be written.
    package func finish() throws {
        try output.flush()
        guard fsync(descriptor) == 0 || errno == EINVAL, rename(temporary, path) == 0 else {
            throw Self.failure(path, errno)
        }
        close(descriptor)
        descriptor = -1
        forget()
    }

    private func forget() {
        let temporary = temporary
        Self.temporaries.withLock { _ = $0.remove(temporary) }
    }

    private static func failure(_ path: String, _ code: Int32) -> InspectionError {
        InspectionError(
            .unreadable, subject: PrintableText.escaped(path, limit: 200),
            cause: "it cannot be written: \(String(cString: strerror(code)))", hint: "choose another place with -o")
    }

    /// Runs a block; if the process is interrupted meanwhile, it removes incomplete files and ends.
    package static func leavingNothing<Result>(_ body: () throws -> Result) rethrows -> Result {
        let interruption = Interruption {
            for temporary in temporaries.withLock(\.self) { unlink(temporary) }
            TemporaryStoreWriting.discardAll()
            TemporaryStoreOwner.removeAll()
            exit(130)
        }
        defer { interruption.end() }
        return try body()
    }
}
