import Foundation

/// A list in a file: a line that says whose it is, and one for each change since, appended and flushed. A last line that a crash has cut is
/// as if it had not been written. A file with many more lines than items is replaced.
struct ListFile {
    private static let mark = "ocsync-list 1"
    private let url: URL
    private var lines = 0

    private init(_ url: URL) { self.url = url }

    /// Writes a list into a file, whole or not at all.
    static func create(_ list: ItemList, at url: URL) throws -> ListFile {
        var file = ListFile(url)
        try file.replace(list)
        return file
    }

    /// Reads a file; nil if it is damaged.
    static func read(_ url: URL) throws -> (ListFile, ItemList)? {
        let text = String(decoding: try Data(contentsOf: url), as: UTF8.self)
        var rows = text.split(separator: "\n", omittingEmptySubsequences: false)
        // Behind the last end of a line is nothing, or what a crash has left.
        let rest = rows.removeLast()
        guard let head = rows.first, var list = list(head) else { return nil }
        for row in rows.dropFirst() {
            guard let change = change(row) else { return nil }
            list.apply(change)
        }
        var file = ListFile(url)
        file.lines = rows.count
        if !rest.isEmpty { try file.replace(list) }
        return (file, list)
    }

    /// Appends changes and flushes them.
    mutating func append(_ changes: [ItemList.Change]) throws {
        let handle = try FileHandle(forWritingTo: url)
        defer { try? handle.close() }
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(changes.map { Self.line($0) + "\n" }.joined().utf8))
        try handle.synchronize()
        lines += changes.count
    }

    /// Replaces the file if it has many more lines than the list has items; one that cannot be replaced is right as it is.
    mutating func shorten(to list: ItemList) {
        guard lines > 2 * list.sizes.count + 1_000 else { return }
        try? replace(list)
    }

    /// Replaces the file by one of the list as it is.
    mutating func replace(_ list: ItemList) throws {
        let former = list.former.map(\.description).sorted().joined(separator: ",")
        // The additions raise the counter when the file is read.
        let base = list.counter &- UInt64(list.sizes.count)
        var text = "\(Self.mark) \(list.owner) \(base) \(former)\n"
        for (name, size) in list.sizes { text += Self.line(.added(name, size: size)) + "\n" }
        try Data(text.utf8).write(to: url, options: .atomic)
        lines = 1 + list.sizes.count
    }

    func remove() { try? FileManager.default.removeItem(at: url) }

    private static func line(_ change: ItemList.Change) -> String {
        switch change {
        case .added(let name, let size): "+ \(size) \(name)"
        case .removed(let name): "- \(name)"
        }
    }

    private static func list(_ head: Substring) -> ItemList? {
        guard head.hasPrefix(mark + " ") else { return nil }
        let words = head.dropFirst(mark.count + 1).split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, let owner = OwnerID(words[0]), let counter = UInt64(words[1]),
            counter <= ItemList.Limits.counter
        else { return nil }
        return ItemList(owner, counter: counter, former: Set(words[2].split(separator: ",").compactMap { OwnerID($0) }))
    }

    private static func change(_ row: Substring) -> ItemList.Change? {
        let words = row.split(separator: " ")
        switch (words.first, words.count) {
        case ("+", 3):
            guard let size = Int(words[1]), ItemName.isValid(String(words[2])) else { return nil }
            return .added(String(words[2]), size: size)
        case ("-", 2): return .removed(String(words[1]))
        default: return nil
        }
    }
}
