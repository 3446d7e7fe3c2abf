import CoreDataSQL
import SQLiteKit

/// The readers of one store: connections of their own to its file, at most `readerCount`, made when they are first needed.
///
/// Each is opened with the settings of the store's own connection and has the same functions and collations. Long
/// reads (streamed reads and query generations) have their share of them, with a connection that is closed afterwards.
///
/// Invariants:
/// 1. `idle`, `checkouts` and the other variables are used only while `condition` is held.
/// 2. A reader is in `idle` or checked out by one user, never both; its place in `checkouts` is taken before it is made.
/// 3. A reader that was made before the last `renew` or `close` is closed when it comes back.
final class ReaderPool: ReaderProviding, @unchecked Sendable {
    struct Settings {
        var count = 4
        var patience = Duration.seconds(30)
        /// After how long a reader is reported.
        var longest = Duration.seconds(60)
        /// How long closing waits for those who ask a question, before they are interrupted.
        var grace = Duration.seconds(2)
        var keepsStates = true
    }

    /// What a reader is checked in with.
    struct Ticket {
        let pool: ReaderPool
        let number: Int
    }

    private struct Checkout {
        let number: Int
        let use: ReaderUse
        let since = ContinuousClock.now
        /// Nil until the reader has been made.
        var interrupter: Interrupter?
        var isReported = false
        var isOutdated = false
    }

    private let shape: StoreShape
    private let settings: Settings
    private let path: String
    private let place: FilePlace?
    private let connect: () throws -> Connection
    private let condition = NSCondition()
    private var idle: [StoreFile] = []
    private var checkouts: [Checkout] = []
    private var lastNumber = 0
    private var isClosed = false

    var readerCount: Int { settings.count }
    var keepsStates: Bool { settings.keepsStates }
    var patience: Duration { settings.patience }

    /// `connect` opens the file at `path` once more.
    init(_ shape: StoreShape, path: String, _ settings: Settings, connect: @escaping () throws -> Connection) {
        self.shape = shape
        self.settings = settings
        self.path = path
        self.connect = connect
        place = FilePlace(path)
    }

    // MARK: Checking out

    func checkOut(for use: ReaderUse, waiting: Duration) -> ReaderCheckout {
        condition.lock()
        if checkouts.count >= settings.count, !isClosed, waiting > .zero {
            _ = condition.wait(until: Date(timeIntervalSinceNow: waiting / .seconds(1)))
        }
        guard !isClosed else {
            condition.unlock()
            return .closed
        }
        guard checkouts.count < settings.count else {
            defer { condition.unlock() }
            return .exhausted(onlyByLongUses: checkouts.allSatisfy(\.use.isLong))
        }
        lastNumber += 1
        let number = lastNumber
        let reader = idle.popLast()
        checkouts.append(Checkout(number: number, use: use, interrupter: reader?.connection.interrupter))
        condition.unlock()
        reportConnections()
        if let reader {
            reader.ticket = Ticket(pool: self, number: number)
            return .reader(reader)
        }
        return make(number)
    }

    private func make(_ number: Int) -> ReaderCheckout {
        // The user then reads with the store's own connection, which reports what is wrong with the file or the process.
        guard let reader = try? newReader() else {
            condition.withLock { _ = end(number) }
            reportConnections()
            return .unavailable
        }
        reader.ticket = Ticket(pool: self, number: number)
        let isOpen = condition.withLock {
            guard !isClosed else { return false }
            update(number) { $0.interrupter = reader.connection.interrupter }
            return true
        }
        if isOpen { return .reader(reader) }
        reader.release()
        return .closed
    }

    /// Nil where the path no longer leads to the file that was opened, which the store's own connection still has.
    private func newReader() throws -> StoreFile? {
        guard place != nil, place == FilePlace(path) else { return nil }
        let connection = try connect()
        do {
            try connection.setPragma("query_only", to: .integer(1))
            let reader = try StoreFile(reading: shape, connection)
            if !connection.fileHasMoved, place == FilePlace(path) { return reader }
            connection.close()
            return nil
        } catch {
            connection.close()
            throw error
        }
    }

    func checkIn(_ reader: StoreFile, _ number: Int) {
        reader.ticket = nil
        let isShort = condition.withLock { checkouts.contains { $0.number == number && !$0.use.isLong } }
        let isSound = isShort && reader.endState()
        let isKept = condition.withLock {
            guard let checkout = end(number), isSound, !isClosed, !checkout.isOutdated else { return false }
            idle.append(reader)
            return true
        }
        if !isKept { reader.close() }
        reportConnections()
    }

    private func update(_ number: Int, _ change: (inout Checkout) -> Void) {
        guard let index = checkouts.firstIndex(where: { $0.number == number }) else { return }
        change(&checkouts[index])
    }

    private func end(_ number: Int) -> Checkout? {
        guard let index = checkouts.firstIndex(where: { $0.number == number }) else { return nil }
        condition.broadcast()
        return checkouts.remove(at: index)
    }

    // MARK: Ending

    /// Closes the readers; those who ask a question are waited for, and interrupted when that takes too long.
    ///
    /// Streamed reads and query generations keep their connections until they are released.
    func close() { endCheckouts(closing: true) }

    /// Sees to it that only connections made from here on are read with; waits for those who ask a question.
    func renew() { endCheckouts(closing: false) }

    private func endCheckouts(closing: Bool) {
        condition.lock()
        if closing { isClosed = true }
        for index in checkouts.indices { checkouts[index].isOutdated = true }
        let closed = idle
        idle = []
        condition.broadcast()
        if !waitForQuestions(settings.grace) {
            for checkout in checkouts where !checkout.use.isLong && checkout.isOutdated {
                checkout.interrupter?.interrupt()
            }
            _ = waitForQuestions(settings.grace)
        }
        condition.unlock()
        for reader in closed { reader.close() }
        reportConnections()
    }

    /// Whether those who asked a question when the readers became outdated have ended.
    private func waitForQuestions(_ limit: Duration) -> Bool {
        let end = Date(timeIntervalSinceNow: limit / .seconds(1))
        while checkouts.contains(where: { $0.isOutdated && !$0.use.isLong }) {
            guard condition.wait(until: end) else { return false }
        }
        return true
    }

    // MARK: Notification

    private func reportConnections() {
        guard CoreDataMetrics.isOn else { return }
        let (used, idle) = condition.withLock { (checkouts.count, self.idle.count) }
        CoreDataMetrics.setReaders(used: used, idle: idle, of: shape.url.lastPathComponent, system: "sqlite")
    }

    var holders: String {
        let checkouts = condition.withLock { self.checkouts }
        let now = ContinuousClock.now
        return checkouts.map { Self.sentence($0, at: now) }.joined(separator: ", ")
    }

    private static func sentence(_ checkout: Checkout, at now: ContinuousClock.Instant) -> String {
        let seconds = ((now - checkout.since) / .seconds(1)).formatted(.number.precision(.fractionLength(0...1)))
        return checkout.use.kind.rawValue + (checkout.use.owner.map { " of the context '\($0)'" } ?? "")
            + " for \(seconds) s"
    }

    /// Reports readers that have been in use for long, each once: the log cannot be emptied meanwhile.
    ///
    /// Called after each commit, by which the log grows.
    func reportLongUses() {
        let now = ContinuousClock.now
        let long = condition.withLock {
            var long: [Checkout] = []
            for index in checkouts.indices
            where !checkouts[index].isReported
                && now - checkouts[index].since > settings.longest
            {
                checkouts[index].isReported = true
                long.append(checkouts[index])
            }
            return long
        }
        for checkout in long {
            CoreDataLogging.report(
                .warning,
                "'\(shape.url.path)' has a reader in use by \(Self.sentence(checkout, at: now)). Its log, now "
                    + "\(FileAccess.size(path + "-wal")) bytes, grows with each save until the reader is let go of.",
                metadata: [CoreDataLogging.MetadataKey.store: shape.url.path])
        }
    }
}
