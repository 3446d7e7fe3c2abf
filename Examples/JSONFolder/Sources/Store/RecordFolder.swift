import CoreData

/// The files of a store: one folder an entity, one file a record, and `store.json` with what the store says of itself.
struct RecordFolder {
    let url: URL

    /// One file as it is now.
    struct File {
        let fields: [String: Any]
        /// Another number for each content.
        let version: UInt64
    }

    private var metadataURL: URL { url.appendingPathComponent("store.json") }

    /// Where the record with a name is; names come from files too, so they must not lead elsewhere.
    func place(_ name: String) throws -> URL {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") && !$0.contains("\0") }) else {
            throw JSONProblem(reason: "'\(name)' is no name of a record")
        }
        return url.appendingPathComponent(String(parts[0])).appendingPathComponent("\(parts[1]).json")
    }

    /// The names of an entity's records, sorted.
    func names(_ entity: String) -> [String] {
        let files =
            (try? FileManager.default.contentsOfDirectory(atPath: url.appendingPathComponent(entity).path)) ?? []
        return files.filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }.sorted().map {
            "\(entity)/\($0.dropLast(5))"
        }
    }

    /// The content of a record's file; nil where there is none.
    ///
    /// - Throws: an error naming the file, for one that is no JSON object.
    func read(_ name: String) throws -> File? {
        let place = try place(name)
        guard let data = FileManager.default.contents(atPath: place.path) else { return nil }
        do {
            guard let fields = try JSONSerialization.jsonObject(with: data) as? [String: Any] else {
                throw JSONProblem(reason: "it is no JSON object")
            }
            return File(fields: fields, version: Self.hash(data))
        } catch {
            throw Self.unreadable(place, "\((error as? JSONProblem)?.reason ?? error.localizedDescription)")
        }
    }

    func write(_ fields: [String: Any], as name: String) throws {
        let place = try place(name)
        try FileManager.default.createDirectory(
            at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Self.text(fields).write(to: place, options: .atomic)
    }

    func remove(_ name: String) throws {
        let place = try place(name)
        if FileManager.default.fileExists(atPath: place.path) { try FileManager.default.removeItem(at: place) }
    }

    /// The bytes of a file, to put it back after a save that failed.
    func bytes(_ name: String) throws -> Data? { FileManager.default.contents(atPath: try place(name).path) }

    func restore(_ bytes: Data?, as name: String) throws {
        guard let bytes else { return try remove(name) }
        try bytes.write(to: try place(name), options: .atomic)
    }

    // MARK: What the store says of itself

    func metadata() throws -> [String: Any]? {
        guard let data = FileManager.default.contents(atPath: metadataURL.path) else { return nil }
        guard let fields = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
            let bytes = (fields["metadata"] as? String).flatMap({ Data(base64Encoded: $0) }),
            let metadata = try? PropertyListSerialization.propertyList(from: bytes, format: nil) as? [String: Any]
        else { throw Self.unreadable(metadataURL, "it does not say what the folder is a store of") }
        return metadata
    }

    func write(metadata: [String: Any]) throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        let bytes = try PropertyListSerialization.data(fromPropertyList: metadata, format: .binary, options: 0)
        try Self.text(["metadata": bytes.base64EncodedString()]).write(to: metadataURL, options: .atomic)
    }

    // MARK: Forms

    /// Stable in every byte, so that git shows only what changed.
    private static func text(_ fields: [String: Any]) throws -> Data {
        try JSONSerialization.data(
            withJSONObject: fields, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]) + Data("\n".utf8)
    }

    /// FNV-1a.
    private static func hash(_ data: Data) -> UInt64 {
        data.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } | 1
    }

    static func unreadable(_ place: URL, _ reason: String) -> NSError {
        NSError(
            domain: NSCocoaErrorDomain, code: CocoaError.fileReadCorruptFile.rawValue,
            userInfo: [
                NSLocalizedDescriptionKey: "The file '\(place.path)' cannot be read: \(reason).",
                NSLocalizedRecoverySuggestionErrorKey: "Repair the file, or take it out of the folder.",
                NSFilePathErrorKey: place.path,
            ])
    }
}
