import SQLiteKit

/// The text encoding of a database file; the raw values are those of the file's header.
package enum TextEncoding: UInt32, Sendable {
    case utf8 = 1
    case utf16Little = 2
    case utf16Big = 3
}

/// The pages of a database file whose header and pointers may be wrong; committed pages of its log replace the file's.
///
/// Source: the database file format at sqlite.org.
struct SalvagedPages {
    private static let sizes = [4096, 2048, 1024, 8192, 16_384, 32_768, 65_536, 512]
    /// The offset of the bytes that SQLite locks. The page that contains this offset stores no content.
    private static let lockingByte = 0x4000_0000

    let size: Int
    /// The number of usable bytes of a page: its size without the reserved bytes at its end.
    let usable: Int
    let count: Int
    let encoding: TextEncoding
    /// Whether the file has a pointer map (auto-vacuum), whose pages store the parent of each other page.
    private(set) var hasPointerMap = false
    private let bytes: DatabaseBytes
    private let log: LogFrames?

    /// Nil for a file that is missing, unreadable or empty.
    init?(path: String) {
        guard let bytes = DatabaseBytes(path: path), bytes.count > 0 else { return nil }
        self.bytes = bytes
        let log = LogFrames(path: path + "-wal")
        let header = PageBytes(bytes: bytes.read(0..<100) ?? [])
        let recorded = header.short(16).map { $0 == 1 ? 65_536 : $0 }
        let isMarked = header.bytes.starts(with: Array("SQLite format 3".utf8))
        if let recorded, isMarked, Self.sizes.contains(recorded) {
            size = recorded
        } else {
            size = log?.pageSize ?? Self.likeliestSize(bytes)
        }
        self.log = log?.pageSize == size ? log : nil
        // SQLite requires at least 480 usable bytes.
        let reserved = isMarked ? Int(header.byte(20) ?? 0) : 0
        usable = size - reserved >= 480 ? size - reserved : size
        let present = (bytes.count + size - 1) / size
        // The log's last commit has the number of pages. The limit bounds memory if that number is wrong: a database
        // can have more pages than the file and the log, since free pages need not be written, but not many more.
        let most = (present + (self.log?.places.count ?? 0)) * 4 + 1_024
        count = min(self.log?.pageCount ?? present, most)
        let newest = PageBytes(bytes: self.log?.page(1) ?? header.bytes)
        encoding = newest.word(56).flatMap(TextEncoding.init) ?? .utf8
        hasPointerMap = looksLikePointerMap(2)
    }

    /// The bytes of a page, from the log if it has the page, padded with zeros if the file ends within it; nil for a
    /// page that is missing or unreadable.
    func page(_ number: Int) -> PageBytes? {
        guard number > 0, number <= count else { return nil }
        if let newer = log?.page(number), newer.count == size { return PageBytes(bytes: newer) }
        let start = (number - 1) * size
        guard var bytes = bytes.read(start..<start + size), !bytes.isEmpty else { return nil }
        if bytes.count < size { bytes += Array(repeating: 0, count: size - bytes.count) }
        return PageBytes(bytes: bytes)
    }

    // MARK: References to pages

    /// The pointer map's entry for a page: its kind (1 root, 2 free, 3 first overflow, 4 further overflow, 5 other page
    /// of a B-tree) and its parent, the page that refers to it (0 for kinds 1 and 2). Nil without a map, and for an
    /// invalid entry.
    func pointer(to page: Int) -> (kind: UInt8, parent: Int)? {
        guard hasPointerMap, page > 2 else { return nil }
        let perMap = usable / 5 + 1
        var map = (page - 2) / perMap * perMap + 2
        if map == Self.lockingByte / size + 1 { map += 1 }
        guard map != page, let bytes = self.page(map) else { return nil }
        let place = 5 * (page - map - 1)
        guard let kind = bytes.byte(place), 1...5 ~= kind, let parent = bytes.word(place + 1),
            Int(parent) <= count, (kind < 3) == (parent == 0)
        else { return nil }
        return (kind, Int(parent))
    }

    private func looksLikePointerMap(_ number: Int) -> Bool {
        guard let page = page(number) else { return false }
        let entries = min(usable / 5, count - 2)
        let sound = (0..<max(0, entries)).count { entry in
            guard let kind = page.byte(entry * 5), let parent = page.word(entry * 5 + 1) else { return false }
            return 1...5 ~= kind && Int(parent) <= count && (kind < 3) == (parent == 0)
        }
        return entries > 0 && sound * 10 >= entries * 9
    }

    /// The page size for which the most bytes of the file are in pages that look like those of a B-tree; 4,096 for
    /// none.
    private static func likeliestSize(_ bytes: DatabaseBytes) -> Int {
        let scores = sizes.map { size in
            let pages = min(bytes.count / size, 2_000)
            let score = (1..<max(2, pages)).count { number in
                let head = PageBytes(bytes: bytes.read(number * size..<number * size + 8) ?? [])
                guard let kind = head.byte(0), [2, 5, 10, 13].contains(kind), let cells = head.short(3),
                    let start = head.short(5)
                else { return false }
                return cells > 0 && cells * 4 < size && start <= size && start > cells * 2
            }
            // A size that divides the true one counts the same page starts and more, so each page is weighted by its
            // size.
            return Double(score) * Double(size) / Double(max(1, bytes.count))
        }
        let best = zip(scores, sizes).max { $0.0 < $1.0 }
        return best.map { $0.0 > 0 ? $0.1 : 4096 } ?? 4096
    }
}
