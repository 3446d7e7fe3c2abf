import CoreData

/// Removes the data of an application: one store with all files that belong to it, or the folders and settings of an
/// identifier.
///
/// `run` removes only what `items` lists.
package struct AppReset {
    /// A file or a folder that is to be removed.
    package struct Item: Sendable {
        package let url: URL
        /// What it is, in words.
        package let kind: String
        /// The bytes of the file, or of all files in the folder.
        package let size: Int
    }

    package let items: [Item]

    /// Lists the files of one store.
    ///
    /// - Throws: `InspectionError` for what is not a store, and for one that is in use.
    package init(storeAt url: URL) throws {
        guard url.isFileURL else {
            throw InspectionError(
                .unreadable, subject: url.place, cause: "a store on a server is not removed from here",
                hint: "drop its schema there: DROP SCHEMA NAME CASCADE")
        }
        let facts = try StoreFacts(at: url)
        try Self.requireUnused(facts)
        items = Self.files(of: url).map { Item(url: $0.0, kind: $0.1, size: Self.size($0.0)) }
    }

    /// Lists the folders in which the program with an identifier keeps its stores and caches, and the files of its
    /// settings.
    ///
    /// - Throws: `InspectionError` for an invalid identifier, and if a store of the program is in use.
    package init(identifier: String) throws {
        guard !identifier.isEmpty, !identifier.hasPrefix("."), !identifier.contains("/"), !identifier.contains("\0")
        else {
            throw InspectionError(
                .badValue, subject: PrintableText.escaped(identifier, limit: 80),
                cause: "this is not an identifier of a program",
                hint: "it looks like org.example.App, or is the name of an executable")
        }
        var found: [(URL, String)] = []
        for (directory, kind) in [
            (FileManager.SearchPathDirectory.applicationSupportDirectory, "stores and data"),
            (.cachesDirectory, "caches"),
        ] {
            for base in FileManager.default.urls(for: directory, in: .userDomainMask) {
                found.append((base.appendingPathComponent(identifier), kind))
            }
        }
        found += Self.settings(identifier).map { ($0, "settings") }
        let present = found.filter { FileManager.default.fileExists(atPath: $0.0.path) }
        for (url, _) in present { try Self.requireUnusedStores(in: url) }
        items = present.map { Item(url: $0.0, kind: $0.1, size: Self.size($0.0)) }
    }

    /// Removes the items.
    ///
    /// - Throws: `InspectionError` naming what cannot be removed.
    package func run() throws {
        for item in items {
            do {
                try FileManager.default.removeItem(at: item.url)
            } catch {
                throw InspectionError(
                    .readOnly, subject: item.url.path, cause: "it cannot be removed: \(ErrorText.line(for: error))")
            }
        }
    }

    // MARK: What belongs to a store

    private static func files(of store: URL) -> [(URL, String)] {
        var files = [(store, "store")]
        for suffix in ["-wal", "-shm", "-journal"] where FileStatus(store.path + suffix) != nil {
            files.append((URL(fileURLWithPath: store.path + suffix), "log of the store"))
        }
        let base = store.deletingPathExtension().lastPathComponent
        let folder = store.deletingLastPathComponent()
        let support = folder.appendingPathComponent(".\(base)_SUPPORT")
        let own = ["", "-wal", "-shm", "-journal"].map { store.lastPathComponent + $0 }
        // Stores whose names differ in the extension alone share the folder.
        let others = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let isShared = others.contains { name in
            !own.contains(name) && (name as NSString).deletingPathExtension == base
                && FileStatus(folder.appendingPathComponent(name).path)?.isRegular == true
        }
        if !isShared, FileManager.default.fileExists(atPath: support.path) { files.append((support, "large values")) }
        return files
    }

    /// The files in which Foundation stores the settings of a program.
    private static func settings(_ identifier: String) -> [URL] {
        let environment = ProcessInfo.processInfo.environment
        let home = FileManager.default.homeDirectoryForCurrentUser
        let folders = [
            environment["XDG_CONFIG_HOME"].map { URL(fileURLWithPath: $0) }, home.appendingPathComponent(".config"),
        ].compactMap(\.self)
        var seen: Set<String> = []
        return folders.map { $0.appendingPathComponent("\(identifier).plist") }
            .filter { seen.insert($0.standardizedFileURL.path).inserted }
    }

    private static func size(_ url: URL) -> Int {
        var status = stat()
        guard lstat(url.path, &status) == 0 else { return 0 }
        guard status.st_mode & S_IFMT == S_IFDIR else { return Int(status.st_size) }
        let files = FileManager.default.enumerator(atPath: url.path)
        return files?.reduce(0) { $0 + (FileStatus(url.appendingPathComponent("\($1)").path)?.size ?? 0) } ?? 0
    }

    // MARK: Use

    private static func requireUnused(_ facts: StoreFacts) throws {
        guard facts.type == .sqlite else { return }
        try StoreVacuum(facts).requireUnused()
    }

    private static func requireUnusedStores(in folder: URL) throws {
        let files = FileManager.default.enumerator(atPath: folder.path)
        for case let name as String in files ?? .init() {
            let url = folder.appendingPathComponent(name)
            guard FileStatus.start(of: url.path, count: 15) == Array("SQLite format 3".utf8),
                let facts = try? StoreFacts(at: url)
            else { continue }
            try requireUnused(facts)
        }
    }
}
