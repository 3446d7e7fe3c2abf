import CoreData

/// Identifies a store by its identifier and its file, since a copied file has the same identifier.
package struct StoreFileIdentity: Hashable, Sendable {
    /// The identifier in the store's metadata.
    let identifier: String
    /// The path of the file without symbolic links, or the URL on a server without passwords; empty if the store has
    /// neither.
    package let path: String
    /// The file at the path; nil for a store that is not a file.
    let file: FileIdentity?

    /// The present identity of a store; saving an atomic store replaces its file, which changes the identity.
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

    /// The identity of a store that is not a file.
    package init(identifier: String) {
        (self.identifier, path, file) = (identifier, "", nil)
    }

    /// Reads an identity from a line of JSON; nil for other lines.
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

    /// Whether this file is still at its path.
    var isThere: Bool { file != nil && FileIdentity(path) == file }

    /// The name of the store's subfolder in the state folder.
    package var folder: String { path.isEmpty ? identifier : "\(identifier)@\(Self.digest(path))" }

    /// The common prefix of the state folders of all files with the same identifier.
    var folderPrefix: String { identifier + "@" }

    /// The store's name in addresses, which does not depend on the other stores: `SuperDB-x5f0c21d9`.
    ///
    /// - Parameter name: The name that the user sees.
    package func address(_ name: String) -> String {
        // A store in memory gets a new identifier at each start, so the name takes its place.
        AddressName.make(name, of: path.isEmpty ? name : "\(path)\n\(identifier)")
    }

    private static func digest(_ text: String) -> String { AddressName.digest(text) }
}

/// Makes names in addresses that are readable, and are the same after each start of the program.
enum AddressName {
    private static let longest = 40

    /// - Parameters:
    ///   - name: The name that the user sees; a file's extension is left out.
    ///   - identity: A text that is unique to the named thing.
    static func make(_ name: String, of identity: String) -> String {
        let stem = name.split(separator: "/").last.map { ($0 as NSString).deletingPathExtension } ?? ""
        let plain = stem.unicodeScalars.map { scalar -> Character in
            let isPlain = scalar.isASCII && (Character(scalar).isLetter || Character(scalar).isNumber || scalar == "_")
            return isPlain ? Character(scalar) : "-"
        }
        let words = String(plain).split(separator: "-").joined(separator: "-").prefix(longest)
        return (words.isEmpty ? "" : words + "-") + digest(identity)
    }

    /// Eight hexadecimal digits of the text's hash, after a letter so that no name is a number.
    static func digest(_ text: String) -> String {
        let bytes = SHA2.sha256(Array(text.utf8)).prefix(4)
        return "x" + bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// Whether a name is a number, which means a position in a list; positions may differ after a restart with other
    /// arguments.
    static func isPlace(_ name: String) -> Bool {
        let number = name.hasPrefix("store-") ? name.dropFirst("store-".count) : name[...]
        return !number.isEmpty && number.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
