import CoreData

/// Divides exported text into files of so many records each, of which each is a document by itself.
///
/// Takes lines of JSON, or a table whose first record has the titles. Confined to one thread.
final class RecordFiles {
    /// How the records of a document lie in it.
    enum Form: Equatable {
        /// Behind each other, a line each.
        case lines
        /// In an array, with text around it.
        case array(head: String, tail: String)
        /// In a table, below the titles.
        case table

        /// The media type of a document.
        var contentType: String {
            switch self {
            case .lines: "application/x-ndjson"
            case .array: "application/json"
            case .table: "text/csv; charset=utf-8"
            }
        }
    }

    /// A document.
    struct Part {
        let file: URL
        /// The numbers of its records, from 1.
        let records: ClosedRange<Int>
    }

    private let form: Form
    private let size: Int
    private let folder: ScratchFolder
    private(set) var parts: [Part] = []
    private var descriptor: Int32 = -1
    private var first = 1
    private var count = 0
    private var buffer: [UInt8] = []
    private var record: [UInt8] = []
    private var titles: [UInt8]?
    private var isQuoted = false

    /// - Parameter size: the most records of a file.
    init(_ form: Form, each size: Int) throws {
        (self.form, self.size, folder) = (form, max(1, size), try ScratchFolder())
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Takes a piece of text, which may end within a record.
    ///
    /// - Throws: `InspectionError` where a file cannot be written.
    func take(_ bytes: UnsafeRawBufferPointer) throws {
        for byte in bytes {
            record.append(byte)
            // In a table a line may end within quotes; of two quotes in a row the second takes back the first.
            if byte == UInt8(ascii: "\""), form == .table { isQuoted.toggle() }
            if byte == UInt8(ascii: "\n"), !isQuoted { try endRecord() }
        }
    }

    private func endRecord() throws {
        if form == .table, titles == nil {
            titles = record
            record.removeAll(keepingCapacity: true)
            return
        }
        if descriptor < 0 { try begin() }
        if case .array = form {
            if record.last == UInt8(ascii: "\n") { record.removeLast() }
            if count > 0 { buffer += Array(",\n".utf8) }
        }
        buffer += record
        record.removeAll(keepingCapacity: true)
        count += 1
        if buffer.count >= 1 << 16 { try flush() }
        if count == size { try end() }
    }

    private func begin() throws {
        let file = folder.file("part-\(parts.count)")
        descriptor = open(file.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure() }
        switch form {
        case .array(let head, _): buffer = Array(head.utf8)
        case .table: buffer = titles ?? []
        case .lines: buffer = []
        }
    }

    /// Ends the file that is being written.
    private func end() throws {
        if case .array(_, let tail) = form { buffer += Array(tail.utf8) }
        try flush()
        close(descriptor)
        descriptor = -1
        parts.append(Part(file: folder.file("part-\(parts.count)"), records: first...(first + count - 1)))
        (first, count) = (first + count, 0)
    }

    /// Ends the last file.
    ///
    /// - Throws: `InspectionError` where it cannot be written.
    func finish() throws { if count > 0 { try end() } }

    private func flush() throws {
        var rest = buffer[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw failure() }
            rest = rest.dropFirst(written)
        }
        buffer.removeAll(keepingCapacity: true)
    }

    private func failure() -> InspectionError {
        InspectionError(
            .unreadable, subject: FileManager.default.temporaryDirectory.path,
            cause: "what is to be sent cannot be written there: \(String(cString: strerror(errno)))")
    }
}
