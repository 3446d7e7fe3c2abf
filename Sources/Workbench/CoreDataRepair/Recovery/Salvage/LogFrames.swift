import SQLiteKit

/// The pages in a write-ahead log that belong to complete commits.
///
/// A frame is valid if its salts equal those of the log's header, its cumulative checksum is right, and it or a later
/// valid frame is a commit record. Source: the WAL file format at sqlite.org.
struct LogFrames {
    private static let headerSize = 32
    private static let frameHeaderSize = 24

    let pageSize: Int
    /// The offset in the log of each page's newest committed bytes, by page number.
    private(set) var places: [Int: Int] = [:]
    /// The number of pages of the database after the log's last commit; nil if the log has no complete commit.
    private(set) var pageCount: Int?
    private let bytes: DatabaseBytes

    /// Nil for a missing file, and for one whose header is not that of a write-ahead log.
    init?(path: String) {
        guard let bytes = DatabaseBytes(path: path), let start = bytes.read(0..<Self.headerSize),
            start.count == Self.headerSize
        else { return nil }
        let header = PageBytes(bytes: start)
        guard let magic = header.word(0), magic & ~1 == 0x377F_0682, header.word(4) == 3_007_000,
            let size = header.word(8), size >= 512, size <= 65_536, size & (size - 1) == 0
        else { return nil }
        self.bytes = bytes
        pageSize = Int(size)
        var sum = Checksum(isBig: magic & 1 == 1)
        sum.add(start[..<24])
        guard sum.one == header.word(24), sum.two == header.word(28) else { return nil }
        gather(header, sum)
    }

    func page(_ number: Int) -> [UInt8]? { places[number].flatMap { bytes.read($0..<$0 + pageSize) } }

    private mutating func gather(_ header: PageBytes, _ start: Checksum) {
        var sum = start
        var pending: [Int: Int] = [:]
        var place = Self.headerSize
        while let frame = bytes.read(place..<place + Self.frameHeaderSize + pageSize),
            frame.count == Self.frameHeaderSize + pageSize
        {
            let head = PageBytes(bytes: Array(frame[..<Self.frameHeaderSize]))
            guard head.word(8) == header.word(16), head.word(12) == header.word(20), let number = head.word(0),
                number > 0, let size = head.word(4)
            else { return }
            sum.add(frame[..<8])
            sum.add(frame[Self.frameHeaderSize...])
            guard sum.one == head.word(16), sum.two == head.word(20) else { return }
            pending[Int(number)] = place + Self.frameHeaderSize
            if size > 0 {
                places.merge(pending) { $1 }
                pending = [:]
                pageCount = Int(size)
            }
            place += frame.count
        }
    }

    /// The cumulative checksum of the log: two sums over pairs of 32-bit words.
    private struct Checksum {
        let isBig: Bool
        var one: UInt32 = 0
        var two: UInt32 = 0

        init(isBig: Bool) { self.isBig = isBig }

        mutating func add(_ bytes: ArraySlice<UInt8>) {
            bytes.withUnsafeBytes { buffer in
                for start in stride(from: 0, to: buffer.count & ~7, by: 8) {
                    let pair = (
                        buffer.loadUnaligned(fromByteOffset: start, as: UInt32.self),
                        buffer.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self)
                    )
                    one = one &+ (isBig ? pair.0.bigEndian : pair.0.littleEndian) &+ two
                    two = two &+ (isBig ? pair.1.bigEndian : pair.1.littleEndian) &+ one
                }
            }
        }
    }
}
