import CoreData

/// The folder of the state that survives the browser, with a subfolder for each file of a store:
/// `$XDG_STATE_HOME/opencoredata/IDENTIFIER@PATH`, where PATH is eight digits that stand for the path.
///
/// Identifiers come from stores, which are untrusted, so characters with a meaning in paths are escaped.
package struct StateFolder: Sendable {
    private static let longestName = 200

    package let url: URL

    /// The folder in the options, or else the standard one of the user of this process.
    package init(_ options: BrowserOptions) {
        if let folder = options.stateFolder {
            url = folder
            return
        }
        let state = ProcessInfo.processInfo.environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        url =
            state.map { URL(fileURLWithPath: $0) }?.appendingPathComponent("opencoredata")
            ?? FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".local/state/opencoredata")
    }

    /// The URL of a file that belongs to a store; creates the store's subfolder if it does not exist.
    ///
    /// - Parameter suffix: The end of the file's name with its period.
    /// - Throws: `BrowserFailure` where the folder cannot be made, or a name is empty or too long.
    package func file(_ name: String, suffix: String, ofStore identifier: String) throws -> URL {
        let folder = url.appendingPathComponent(try Self.fileName(identifier))
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw Self.failure(folder, ErrorText.line(for: error))
        }
        return folder.appendingPathComponent(try Self.fileName(name) + suffix)
    }

    /// The names, without the suffix, of a store's files that end with a suffix.
    package func names(suffix: String, ofStore identifier: String) throws -> [String] {
        let folder = url.appendingPathComponent(try Self.fileName(identifier))
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.filter { $0.hasSuffix(suffix) && !$0.hasPrefix(".") }
            .compactMap { String($0.dropLast(suffix.count)).removingPercentEncoding }.sorted()
    }

    /// The subfolders of all files with a store's identifier: its own file, copies, and one for a store without a file.
    func folders(of identity: StoreFileIdentity) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        return names.compactMap(\.removingPercentEncoding)
            .filter { $0 == identity.identifier || $0.hasPrefix(identity.folderPrefix) }.sorted()
    }

    /// A text as the name of a file: all characters but letters, digits, `-` and `_` of ASCII are escaped.
    private static func fileName(_ text: String) throws -> String {
        let name = text.utf8.reduce(into: "") { name, byte in
            let character = Character(UnicodeScalar(byte))
            let isPlain = byte < 0x80 && (character.isLetter || character.isNumber || "-_".contains(character))
            let digits = String(byte, radix: 16)
            name += isPlain ? String(character) : "%" + (digits.count == 1 ? "0" : "") + digits
        }
        guard !name.isEmpty, name.utf8.count <= longestName else {
            throw BrowserFailure.badRequest("a name of what is kept is empty or too long")
        }
        return name
    }

    /// The error for a file of the state that could not be read or written.
    static func failure(_ file: URL, _ reason: String) -> BrowserFailure {
        let isFull = reason == String(cString: strerror(ENOSPC))
        return BrowserFailure(
            isFull ? 507 : 500, code: isFull ? "diskFull" : "stateNotKept", reason: "\(file.path): \(reason)",
            hint: "see that the folder can be written, or choose another by XDG_STATE_HOME")
    }
}
