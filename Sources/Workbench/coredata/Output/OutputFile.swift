import CoreDataTransfer
import CoreDataWorkbench
import Synchronization

/// A file that gets its name when it is whole: it is written beside its place, and goes when the process is interrupted.
final class OutputFile {
    /// The files that are being written, for the code that ends the process.
    private static let temporaries = Mutex<Set<String>>([])

    private let path: String
    private let temporary: String
    private let output: StandardOutput
    private var descriptor: Int32

    /// - Throws: `InspectionError` where the file cannot be made.
    init(_ path: String) throws {
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
    func write(_ bytes: UnsafeRawBufferPointer) throws {
        output.write(bytes)
        try output.check()
    }

    /// Adds a line.
    func line(_ text: String) throws {
        output.line(text)
        try output.check()
    }

    /// Writes what has not been written yet.
    func flush() throws { try output.flush() }

    /// Makes a folder where there is none.
    static func makeFolder(_ path: String) throws {
        guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw failure(path, errno) }
    }

    /// Gives the file its name, in place of what has it.
    ///
    /// - Throws: `InspectionError` where it cannot be written.
    func finish() throws {
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

    /// Runs a block; who interrupts the process meanwhile ends it, without half of a file being left.
    static func leavingNothing<Result>(_ body: () throws -> Result) rethrows -> Result {
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
