import CoreDataFoundation

/// The hidden folder with the versions of an item: for each its contents, and a small record beside them.
struct VersionFolder {
    struct Record: Codable {
        var date: Date
        var computer: String
        var isConflict: Bool
        var isResolved: Bool
    }

    struct Entry {
        /// The name of the version's contents in the folder.
        let name: String
        let contents: URL
        let record: Record
    }

    private static let (maximumVersions, suffix) = (1_000, ".json")
    private let folder: URL

    init(_ item: URL) {
        folder = item.deletingLastPathComponent().appendingPathComponent(".\(item.lastPathComponent).versions")
    }

    /// The versions, newest first. What cannot be read is left out.
    var entries: [Entry] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let entries = names.filter { $0.hasSuffix(Self.suffix) }.prefix(Self.maximumVersions).compactMap {
            file -> Entry? in
            let name = String(file.dropLast(Self.suffix.count))
            let contents = folder.appendingPathComponent(name)
            guard UUID(uuidString: name) != nil, let record = record(name),
                FileManager.default.fileExists(atPath: contents.path)
            else { return nil }
            return Entry(name: name, contents: contents, record: record)
        }
        return entries.sorted { ($0.record.date, $0.name) > ($1.record.date, $1.name) }
    }

    func record(_ name: String) -> Record? {
        let url = folder.appendingPathComponent(name + Self.suffix)
        return (try? Data(contentsOf: url)).flatMap { try? JSONDecoder().decode(Record.self, from: $0) }
    }

    /// Keeps a copy of an item as a version. The record comes last: without it the version is not there.
    func add(_ contents: URL, isConflict: Bool) throws -> Entry {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let name = UUID().uuidString
        let copy = folder.appendingPathComponent(name)
        try FileWrapper(url: contents).write(to: copy)
        let date = (try? FileManager.default.attributesOfItem(atPath: contents.path)[.modificationDate] as? Date) ?? nil
        let record = Record(
            date: date ?? Date(), computer: ProcessInfo.processInfo.hostName, isConflict: isConflict, isResolved: false)
        try write(record, name)
        return Entry(name: name, contents: copy, record: record)
    }

    func resolve(_ entry: Entry) throws {
        var record = entry.record
        record.isResolved = true
        try write(record, entry.name)
    }

    func remove(_ entry: Entry) throws {
        try FileManager.default.removeItem(at: folder.appendingPathComponent(entry.name + Self.suffix))
        try? FileManager.default.removeItem(at: entry.contents)
    }

    func removeAll() throws {
        if FileManager.default.fileExists(atPath: folder.path) { try FileManager.default.removeItem(at: folder) }
    }

    private func write(_ record: Record, _ name: String) throws {
        let url = folder.appendingPathComponent(name + Self.suffix)
        let temporary = SafeFile.temporary(for: url)
        try SafeFile.writeNew(JSONEncoder().encode(record), to: temporary)
        try SafeFile.replace(url, with: temporary)
    }
}
