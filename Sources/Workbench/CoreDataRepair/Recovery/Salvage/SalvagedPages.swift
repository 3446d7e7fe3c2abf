import SQLiteKit

/// How texts are stored in a file.
package enum TextEncoding: UInt32, Sendable {
    case utf8 = 1
    case utf16Little = 2
    case utf16Big = 3
}

/// The pages of a database file whose header and pointers may all be wrong, with those of its log over them.
///
/// Source: the file format at sqlite.org.
struct SalvagedPages {
    private static let sizes = [4096, 2048, 1024, 8192, 16_384, 32_768, 65_536, 512]
    /// SQLite keeps its locks at this place, and no content in the page that has it.
    private static let lockingByte = 0x4000_0000

    let size: Int
    /// The bytes of a page that hold content.
    let usable: Int
    let count: Int
    let encoding: TextEncoding
    /// Whether some pages say of others who leads to them.
    private(set) var hasPointerMap = false
    private let bytes: DatabaseBytes
    private let log: LogFrames?

    /// Nil for what cannot be read at all.
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
        // More than 480 bytes have to be left.
        let reserved = isMarked ? Int(header.byte(20) ?? 0) : 0
        usable = size - reserved >= 480 ? size - reserved : size
        let present = (bytes.count + size - 1) / size
        // The last commit says how many pages there are. Pages that are free need not be in the log, but most are.
        let most = (present + (self.log?.places.count ?? 0)) * 4 + 1_024
        count = min(self.log?.pageCount ?? present, most)
        let newest = PageBytes(bytes: self.log?.page(1) ?? header.bytes)
        encoding = newest.word(56).flatMap(TextEncoding.init) ?? .utf8
        hasPointerMap = looksLikePointerMap(2)
    }

    /// The bytes of a page, zeros where the file ends within it; nil for one that is not there or cannot be read.
    func page(_ number: Int) -> PageBytes? {
        guard number > 0, number <= count else { return nil }
        if let newer = log?.page(number), newer.count == size { return PageBytes(bytes: newer) }
        let start = (number - 1) * size
        guard var bytes = bytes.read(start..<start + size), !bytes.isEmpty else { return nil }
        if bytes.count < size { bytes += Array(repeating: 0, count: size - bytes.count) }
        return PageBytes(bytes: bytes)
    }

    // MARK: References to pages

    /// The map's entry for a page: its kind, 1 a root, 2 a free page, 3 and 4 overflow, 5 another page of a tree; and the page
    /// that refers to it. Nil without a map, and for an invalid entry.
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

    /// The size at which most pages look like those of trees.
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
            // A small size divides a greater one, so that it counts the same pages, and parts of pages as further ones.
            return Double(score) * Double(size) / Double(max(1, bytes.count))
        }
        let best = zip(scores, sizes).max { $0.0 < $1.0 }
        return best.map { $0.0 > 0 ? $0.1 : 4096 } ?? 4096
    }
}
