import CoreData

/// What views remember of a store: one JSON value by name.
struct ViewState {
    private static let limit = 1 << 20
    private static let nameLimit = 64

    private let file: URL

    /// - Throws: `BrowserFailure` for a name that is none, and where the folder cannot be made.
    init(_ name: String, ofStore identifier: String, in folder: StateFolder) throws {
        let isName = name.utf8.allSatisfy { byte in
            let character = Character(UnicodeScalar(byte))
            return byte < 0x80 && (character.isLetter || character.isNumber || "-_".contains(character))
        }
        guard isName, !name.isEmpty, name.utf8.count <= Self.nameLimit else {
            throw BrowserFailure.badRequest(
                "what is remembered is named by at most \(Self.nameLimit) letters, digits, '-' and '_'")
        }
        file = try folder.file("view-" + name, suffix: ".json", ofStore: identifier)
    }

    /// The value; null where nothing is remembered.
    func read() throws -> JSONValue {
        guard let bytes = try StateFile.bytes(of: file, limit: Self.limit) else { return .null }
        return try JSONReader.values(in: bytes, of: file.path).first ?? .null
    }

    /// Remembers another value.
    func write(_ value: JSONValue) throws {
        let bytes = Array((JSONWriter.line(value) + "\n").utf8)
        guard bytes.count <= Self.limit else { throw BrowserFailure.tooLarge(Self.limit) }
        try StateFile.write(bytes, to: file)
    }
}
