import CoreData

/// Which store something belongs to: its identifier together with its file, for a copied file has the same identifier.
package struct StoreFileIdentity: Hashable, Sendable {
    /// The identifier in the store's metadata.
    let identifier: String
    /// The path of the file without symbolic links, or the URL on a server without passwords; empty if the store has neither.
    package let path: String
    /// The file at the path; nil for a store that is not a file.
    let file: FileIdentity?

    /// The identity of a store as it is now: a store that is saved as a new file gets another file by that.
    package init(_ store: NSPersistentStore) {
        identifier = store.identifier ?? ""
        guard let url = store.url, store.type != NSInMemoryStoreType, !url.path.hasPrefix("/dev/") else {
            (path, file) = ("", nil)
            return
        }
        guard url.isFileURL else {
            (path, file) = (url.place, nil)
            return
        }
        path = url.resolvingSymlinksInPath().path
        file = FileIdentity(path)
    }

    /// A store that is not a file, by its identifier.
    package init(identifier: String) {
        (self.identifier, path, file) = (identifier, "", nil)
    }

    /// What a line of JSON says; nil for other lines.
    init?(line: String) {
        guard case .members(let members)? = try? JSONReader.values(in: Array(line.utf8), of: "the journal").first
        else { return nil }
        var texts: [String: String] = [:]
        for member in members where texts[member.key] == nil {
            if case .string(let text) = member.value { texts[member.key] = text }
        }
        guard let identifier = texts["identifier"], let path = texts["path"] else { return nil }
        (self.identifier, self.path) = (identifier, path)
        if let device = texts["device"].flatMap({ UInt64($0) }), let inode = texts["inode"].flatMap({ UInt64($0) }) {
            file = FileIdentity(device: device, number: inode)
        } else {
            file = nil
        }
    }

    /// `{"identifier", "path", "device", "inode"}`, numbers as texts.
    var line: String {
        JSONWriter.line(
            .object([
                ("identifier", .string(identifier)), ("path", .string(path)),
                ("device", .text(file.map { String($0.device) })), ("inode", .text(file.map { String($0.number) })),
            ]))
    }

    /// Whether the file that is meant is at its path.
    var isThere: Bool { file != nil && FileIdentity(path) == file }

    /// The folder of the state that is stored for the store.
    package var folder: String { path.isEmpty ? identifier : "\(identifier)@\(Self.digest(path))" }

    /// The common prefix of the state folders of all files with the same identifier.
    var folderPrefix: String { identifier + "@" }

    /// What names the store in addresses, whatever else is shown: `SuperDB-5f0c21d9`.
    ///
    /// - Parameter name: what the store is called.
    package func address(_ name: String) -> String {
        // A store in memory has another identifier after each start.
        AddressName.make(name, of: path.isEmpty ? name : "\(path)\n\(identifier)")
    }

    private static func digest(_ text: String) -> String { AddressName.digest(text) }
}

/// Names in addresses that say what they mean, and stay the same when the program is started again.
enum AddressName {
    private static let longest = 40

    /// - Parameters:
    ///   - name: what a person calls it; a file's extension is left out.
    ///   - identity: what no other has.
    static func make(_ name: String, of identity: String) -> String {
        let stem = name.split(separator: "/").last.map { ($0 as NSString).deletingPathExtension } ?? ""
        let plain = stem.unicodeScalars.map { scalar -> Character in
            let isPlain = scalar.isASCII && (Character(scalar).isLetter || Character(scalar).isNumber || scalar == "_")
            return isPlain ? Character(scalar) : "-"
        }
        let words = String(plain).split(separator: "-").joined(separator: "-").prefix(longest)
        return (words.isEmpty ? "" : words + "-") + digest(identity)
    }

    /// Eight digits that stand for a text, with a letter first so that no name is a number.
    static func digest(_ text: String) -> String {
        let bytes = SHA2.sha256(Array(text.utf8)).prefix(4)
        return "x" + bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// Whether a name is a number: a place in a list, which is another after a restart with other arguments.
    static func isPlace(_ name: String) -> Bool {
        let number = name.hasPrefix("store-") ? name.dropFirst("store-".count) : name[...]
        return !number.isEmpty && number.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
