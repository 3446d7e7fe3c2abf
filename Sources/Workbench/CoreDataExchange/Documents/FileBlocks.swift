import CoreData

/// Reads the bytes of a file or of standard input block by block.
final class FileBlocks {
    private static let size = 1 << 16

    /// What the file is called in messages.
    let name: String
    private let descriptor: Int32
    private let isOwner: Bool
    /// How many bytes have been read.
    private(set) var position = 0

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

    /// Appends the next block to a buffer; returns false at the end.
    func append(to buffer: inout [UInt8]) throws -> Bool {
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
            buffer += block
            return !block.isEmpty
        }
    }
}
