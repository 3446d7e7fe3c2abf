import CoreData

/// The port at which a store was served last. Using it again keeps the address, and what a web browser stores for that
/// address.
package struct KeptPort {
    private let file: URL?

    /// - Parameter identifier: The identifier of the first store; nil without a store.
    package init(ofStore identifier: String?, in folder: StateFolder) {
        file = identifier.flatMap { try? folder.file("port", suffix: ".json", ofStore: $0) }
    }

    /// The port; nil where none is known.
    package var port: Int? {
        guard let file, let bytes = try? StateFile.bytes(of: file, limit: 16),
            let port = Int(String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)),
            (1...65535).contains(port)
        else { return nil }
        return port
    }

    /// Stores a port. If that fails, the next address differs, which is harmless.
    package func keep(_ port: Int) {
        guard let file else { return }
        try? StateFile.write(Array("\(port)\n".utf8), to: file)
    }
}
