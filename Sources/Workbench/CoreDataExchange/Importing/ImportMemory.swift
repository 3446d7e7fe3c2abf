import CoreData

/// By which versions of what URLs have an import was last made: an entry of the store's metadata.
///
/// The entry is written in the transaction of the import, only if nothing was refused, and its key is made of all that the import
/// depends on: the places, the mapping and other rules, and the version hashes of the store. So the same import that meets the same
/// versions would change nothing but what others have changed in the store since.
struct ImportMemory: Sendable {
    /// What the keys of all entries begin with.
    static let prefix = "OpenCoreDataImport."
    /// The most entries of a store, the oldest of which leave, and the most documents and imports of one.
    private static let (mostEntries, mostPages, mostImports) = (200, 100, 10)

    /// One document.
    struct Page {
        /// Where it is; nil for the place of the import with the same number.
        let url: String?
        let version: WebVersion
    }

    private let places: [String]
    private let rules: [[UInt8]]

    /// Nil for an import of which a place is no URL.
    init?(of places: [String], by request: ImportRequest, feed: String?) {
        guard !places.isEmpty, places.allSatisfy(ImportFile.isOnWeb) else { return nil }
        self.places = places
        let texts: [String] = [
            request.format?.rawValue ?? "", feed ?? "", request.entity ?? "", request.match.map { "\($0)" } ?? "",
            request.renames.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "\u{0}"),
            request.leftOut.sorted().joined(separator: "\u{0}"),
        ]
        rules = (places + texts).map { Array($0.utf8) } + [request.mapping.map { [UInt8]($0.origin) } ?? []]
    }

    private func key(_ metadata: [String: Any]) -> String {
        let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
        var bytes: [UInt8] = []
        for part in rules + hashes.sorted(by: { $0.key < $1.key }).map({ Array($0.key.utf8) + [UInt8]($0.value) }) {
            bytes += SHA2.sha256(part)
        }
        let digits = SHA2.sha256(bytes).prefix(16).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }
        return Self.prefix + digits.joined()
    }

    /// The documents of the last time; empty if nothing is known of it.
    func pages(in metadata: [String: Any]) -> [(place: String, version: WebVersion)] {
        let entry = metadata[key(metadata)] as? [String: Any]
        let lists = entry?["pages"] as? [[String: String]] ?? []
        let pages = lists.compactMap { list in
            WebVersion(list).map { Page(url: list["url"], version: $0) }
        }
        guard pages.count == lists.count else { return [] }
        var own = places[...]
        let placed = pages.compactMap { page in (page.url ?? own.popFirst()).map { ($0, page.version) } }
        return placed.count == pages.count && own.isEmpty ? placed : []
    }

    /// Metadata with the entry for files that were imported; without it where a server has named no version. Nil if they have it
    /// already.
    ///
    /// - Parameter name: the name of the import in the history, by which it is taken back; nil if it has changed nothing.
    func noting(
        _ files: [ImportFile], by name: String?, in present: [String: Any], at date: Date = Date()
    ) -> [String: Any]? {
        var metadata = present
        let key = key(metadata)
        let former = metadata.removeValue(forKey: key) as? [String: Any]
        var own = places[...]
        let pages = files.compactMap { file -> [String: String]? in
            guard var list = file.version?.list, let place = file.place else { return nil }
            if own.first == place { own.removeFirst() } else { list["url"] = place }
            return list
        }
        guard pages.count == files.count, pages.count <= Self.mostPages, own.isEmpty else {
            return former == nil ? nil : metadata
        }
        let known = former?["imports"] as? [String] ?? []
        let imports = Array((known + [name].compactMap(\.self)).suffix(Self.mostImports))
        if former?["pages"] as? [[String: String]] == pages, imports == known { return nil }
        metadata[key] = ["date": date, "pages": pages, "imports": imports] as [String: Any]
        let all = metadata.filter { $0.key.hasPrefix(Self.prefix) }.mapValues {
            ($0 as? [String: Any])?["date"] as? Date ?? .distantPast
        }
        for old in all.sorted(by: { $0.value < $1.value }).dropLast(Self.mostEntries) { metadata[old.key] = nil }
        return metadata
    }

    /// Metadata without the entries to which an import has come, which is taken back. Nil if there are none.
    static func forgetting(_ name: String, in present: [String: Any]) -> [String: Any]? {
        let others = present.filter { key, entry in
            let imports = (entry as? [String: Any])?["imports"] as? [String] ?? []
            return !key.hasPrefix(prefix) || !imports.contains(name)
        }
        return others.count == present.count ? nil : others
    }
}
