import CoreData
import SQLiteKit

/// Checks from the bytes of the files whether the write-ahead log (`-wal`) belongs to the database, and is not missing.
///
/// Source: the database file format and the WAL-index format at sqlite.org.
struct LogCheck {
    private static let headerSize = 32

    let path: String

    /// The findings from the headers of the database, of its log and of its `-shm` file, without opening the database.
    var findings: [StoreFinding] {
        guard let size = FileStatus(path + "-wal")?.size, size > 0 else { return missingLog }
        guard size >= Self.headerSize, let reason = headerFlaw else { return [] }
        return [
            StoreFinding(
                .foreignLog, "The log beside the file \(reason): SQLite passes over all that it holds.")
        ]
    }

    /// Compares the database without its log with the database read through its log; a finding if the log is foreign.
    ///
    /// The log is foreign if it changes the store's identity, or if the database is intact without the log and damaged
    /// with it, since the database's own log contains only newer versions of its pages.
    ///
    /// - Parameters:
    ///   - identifier: The store's identity as read through the log.
    ///   - isDamaged: Whether the database is damaged when read through the log.
    func comparison(identifier: String?, isDamaged: Bool) -> StoreFinding? {
        guard (FileStatus(path + "-wal")?.size ?? 0) > Self.headerSize else { return nil }
        var options = OpenOptions(mode: .readOnly)
        options.isImmutable = true
        guard let alone = try? Connection.open(path, options) else { return nil }
        defer { alone.close() }
        let own = (try? alone.value("SELECT Z_UUID FROM Z_METADATA LIMIT 1"))?.text
        if let own, let identifier, own != identifier {
            return StoreFinding(
                .foreignLog, "The log beside the file is of another store: it changes the store's identity.")
        }
        guard isDamaged, (try? alone.integrityFaults(limit: 1)) == [] else { return nil }
        return StoreFinding(
            .foreignLog, "The log beside the file is of another file: alone the file is sound, with the log it is not.")
    }

    // MARK: The log's header

    private var headerFlaw: String? {
        let header = FileStatus.start(of: path + "-wal", count: Self.headerSize)
        guard header.count == Self.headerSize else { return nil }
        let words = (0..<8).map { Self.word(header, $0 * 4, isBig: true) }
        guard words[0] & ~1 == 0x377F_0682, words[1] == 3_007_000 else { return "is not a write-ahead log" }
        guard Self.checksum(header[..<24], isBig: words[0] & 1 == 1) == [words[6], words[7]] else {
            return "begins with a header whose checksum is wrong"
        }
        let file = DatabaseBytes.first(18, of: path)
        guard file.count == 18 else { return nil }
        let pageSize = UInt32(file[16]) << 8 | UInt32(file[17])
        // The value 1 means 65,536, which 16 bits cannot represent.
        return words[2] == (pageSize == 1 ? 65_536 : pageSize) ? nil : "is of a file with pages of another size"
    }

    private static func word(_ bytes: [UInt8], _ start: Int, isBig: Bool) -> UInt32 {
        let four = bytes[start..<start + 4]
        return (isBig ? Array(four) : four.reversed()).reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func checksum(_ bytes: ArraySlice<UInt8>, isBig: Bool) -> [UInt32] {
        var (one, two): (UInt32, UInt32) = (0, 0)
        let bytes = Array(bytes)
        for start in stride(from: 0, to: bytes.count, by: 8) {
            one = one &+ word(bytes, start, isBig: isBig) &+ two
            two = two &+ word(bytes, start + 4, isBig: isBig) &+ one
        }
        return [one, two]
    }

    // MARK: A log that is not there

    private var missingLog: [StoreFinding] {
        let hint = "perhaps the file was copied without its -wal, while it was open"
        // The WAL-index (`-shm`) has the number of frames in the log and of those already copied to the database.
        // Closing a file drops this process's POSIX locks on it, so `-shm` is read only without a log: then there are
        // no locks.
        let index = FileStatus(path + "-wal") == nil ? FileStatus.start(of: path + "-shm", count: 100) : []
        if index.count == 100, index[12] == 1 {
            let isBig = 1.bigEndian == 1
            let (frames, done) = (Self.word(index, 16, isBig: isBig), Self.word(index, 96, isBig: isBig))
            if frames > done {
                return [
                    StoreFinding(
                        .missingLog,
                        "The log is missing, of which \(frames - done) of \(frames) pages are not in the file: \(hint)."
                    )
                ]
            }
        }
        let header = DatabaseBytes.first(100, of: path)
        guard header.count == 100, header[18] == 2, header[24..<28] == header[92..<96] else { return [] }
        let size = (Int(header[16]) << 8 | Int(header[17])) == 1 ? 65_536 : Int(header[16]) << 8 | Int(header[17])
        let pages = Int(Self.word(header, 28, isBig: true))
        guard size > 0, let bytes = FileStatus(path)?.size, pages > bytes / size else { return [] }
        return [
            StoreFinding(
                .missingLog, "The file has \(bytes / size) of the \(pages) pages that it counts: \(hint), or was cut.")
        ]
    }
}
