import CoreDataSQL
import SQLiteKit

/// Identifies the last commit of a store's file, in a form that can be stored and compared later.
///
/// While the log has frames, these identify the commit. Otherwise all data is in the file, and its identity, size and
/// times identify the commit, unless the file was written to very recently.
struct StoreState: Equatable {
    let log: [UInt8]?
    let file: [UInt8]?
    /// Whether a later write would change the file's timestamps.
    let isSettled: Bool

    /// The resolution of file systems' timestamps, with a margin, in nanoseconds.
    static let grain: Int64 = 50_000_000

    /// The state of the store that a connection has attached as a schema; nil if the store has no write-ahead log.
    init?(_ connection: Connection, schema: String = "main", path: String) {
        guard let state = connection.logState(of: schema) else { return nil }
        guard state.frames == 0 else {
            self.init(log: state.identity, file: nil, isSettled: true)
            return
        }
        self.init(file: path)
    }

    private init(log: [UInt8]?, file: [UInt8]?, isSettled: Bool) {
        self.log = log
        self.file = file
        self.isSettled = isSettled
    }

    /// The state of a file without a log.
    init?(file path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        #if canImport(Darwin)
            let (changed, moved) = (status.st_mtimespec, status.st_ctimespec)
        #else
            let (changed, moved) = (status.st_mtim, status.st_ctim)
        #endif
        let times = [changed, moved].map { Int64($0.tv_sec) &* 1_000_000_000 &+ Int64($0.tv_nsec) }
        let numbers = [Int64(truncatingIfNeeded: status.st_ino), Int64(status.st_size)] + times
        let now = Int64(Date().timeIntervalSince1970 * 1_000_000_000)
        self.init(
            log: nil, file: numbers.flatMap { number in withUnsafeBytes(of: number.littleEndian) { Array($0) } },
            isSettled: now &- (times.max() ?? now) > Self.grain)
    }

    /// Begins to read in a connection's transaction, and returns the state that its snapshot shows; nil if it cannot be
    /// determined.
    static func ofSnapshot(_ connection: Connection, schema: String = "main", path: String) throws -> StoreState? {
        let before = StoreState(connection, schema: schema, path: path)
        _ = try connection.value("SELECT 1 FROM \(schema).sqlite_master LIMIT 1")
        let after = StoreState(connection, schema: schema, path: path)
        guard let before, let after, before.log == after.log, before.file == after.file else { return nil }
        return before
    }
}

/// The state of the store with which an index records that it is up to date.
struct SearchRecord {
    let log: [UInt8]?
    let file: [UInt8]?
    /// Whether a connection is comparing the complete store with the index.
    let isBusy: Bool

    init(_ connection: Connection, schema: String) throws {
        let row = try connection.rows("SELECT log, file, busy FROM \(schema).state LIMIT 1").first ?? []
        log = row.first?.blob
        file = row.count > 1 ? row[1].blob : nil
        isBusy = row.count > 2 && row[2].integer == 1
    }

    func isInStep(with state: StoreState) -> Bool {
        if let log = state.log { return log == self.log }
        return state.file != nil && state.file == file
    }
}
