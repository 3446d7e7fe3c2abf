import CoreData

/// Reads the bytes of a file or of standard input block by block.
package final class FileBlocks {
    private static let size = 1 << 16

    /// What the file is called in messages.
    let name: String
    private let descriptor: Int32
    private let isOwner: Bool
    /// How many bytes have been read.
    package private(set) var position = 0
    /// Converts what is read to UTF-8; nil where it is passed on as it is.
    private var transcoder: TextTranscoder?
    private var encoding = ""
    private var looksForMark = false

    /// Opens a file, which messages call by its path unless a name is given; `-` is standard input.
    ///
    /// - Throws: `InspectionError` of code `unreadable`.
    init(_ path: String, named name: String? = nil) throws {
        isOwner = path != "-"
        self.name = PrintableText.escaped(isOwner ? name ?? path : "standard input", limit: 200)
        descriptor = isOwner ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO
        guard descriptor >= 0 else { throw failure(errno) }
    }

    deinit { if isOwner, descriptor >= 0 { close(descriptor) } }

    private func failure(_ code: Int32) -> InspectionError {
        InspectionError(.unreadable, subject: name, cause: "it cannot be read: \(String(cString: strerror(code)))")
    }

    /// Says, before anything is read, that the file is a text, to be read as UTF-8 whatever it is.
    ///
    /// - Parameter encoding: The encoding; nil for UTF-8, or UTF-16 where the text begins with its byte order mark.
    /// - Throws: `InspectionError` for an unknown encoding.
    func readText(as encoding: String?) throws {
        guard let encoding else {
            looksForMark = true
            return
        }
        try transcode(from: encoding)
    }

    private func transcode(from encoding: String) throws {
        self.encoding = encoding
        transcoder = TextTranscoder(from: encoding)
        guard transcoder == nil else { return }
        throw InspectionError(
            .badValue, subject: name,
            cause: "there is no encoding '\(PrintableText.escaped(encoding, limit: 80))'",
            hint: "a name such as UTF-8, ISO-8859-1, windows-1252 or UTF-16")
    }

    /// Appends the next block to a buffer, as UTF-8 if the file is read as a text; returns false at the end.
    func append(to buffer: inout [UInt8]) throws -> Bool {
        let block = try readBlock()
        if looksForMark {
            looksForMark = false
            if block.starts(with: [0xFE, 0xFF]) || block.starts(with: [0xFF, 0xFE]) { try transcode(from: "UTF-16") }
        }
        guard let transcoder else {
            buffer += block
            return !block.isEmpty
        }
        do {
            try transcoder.append(block, isLast: block.isEmpty, to: &buffer)
        } catch {
            throw InspectionError(
                .badValue, subject: name,
                cause: "before byte \(position) there are bytes that are no text in \(encoding)",
                hint: "the mapping names another 'encoding'")
        }
        return !block.isEmpty
    }

    private func readBlock() throws -> [UInt8] {
        while true {
            var code: Int32 = 0
            let block = [UInt8](unsafeUninitializedCapacity: Self.size) { bytes, length in
                let count = read(descriptor, bytes.baseAddress, Self.size)
                if count < 0 { code = errno }
                length = max(0, count)
            }
            if code == EINTR { continue }
            guard code == 0 else { throw failure(code) }
            position += block.count
            return block
        }
    }
}
