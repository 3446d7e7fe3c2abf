import CoreDataSQL
import Dispatch
import PostgresKit

/// The readers of one store: connections of their own, at most `readerCount`, made when they are first needed.
///
/// One that is idle for a minute is closed, and one of half an hour is not used again. At least `leastReaderCount` are there
/// though: what is missing is made in the background. A state that is kept for too long is given up.
///
/// Invariants:
/// 1. `idle`, `checkouts` and the other variables are used only while `condition` is held.
/// 2. A reader is in `idle` or checked out by one user, never both; its place in `checkouts` is taken before it is made, but for those that
///    are made in the background: one at a time, and where meanwhile others have made as many as there may be it is closed again.
/// 3. Once closed there are no idle readers, and those that come back are closed.
final class PostgresReaderPool: ReaderProviding, @unchecked Sendable {
    private struct Checkout {
        let number: Int
        let use: ReaderUse
        let since = ContinuousClock.now
        /// Nil until the reader has been made.
        var canceller: PostgresCanceller?
    }

    private struct Idle {
        let reader: PostgresReader
        let since = ContinuousClock.now
    }

    /// How long closing waits for those who ask a question, before they are cancelled.
    private static let grace = Duration.seconds(2)
    /// After how many seconds a reader that could not be made in the background is tried again.
    private static let pause = 1.0

    private let shape: PostgresShape
    let connector: PostgresConnector
    private let clock = DispatchQueue(label: "CoreData.PostgresReaderPool")
    /// The queue on which readers are made in advance.
    private let making = DispatchQueue(label: "CoreData.PostgresReaderPool.making")
    private let condition = NSCondition()
    private var idle: [Idle] = []
    private var checkouts: [Checkout] = []
    private var lastNumber = 0
    private var isClosed = false
    /// Whether the missing readers are being made.
    private var isFilling = false

    private var settings: PostgresSettings { connector.settings }

    var readerCount: Int { settings.readerCount }
    var keepsStates: Bool { true }
    var patience: Duration { settings.patience }

    init(_ shape: PostgresShape, _ connector: PostgresConnector) {
        self.shape = shape
        self.connector = connector
    }

    /// How many connections wait to be used.
    var idleCount: Int { condition.withLock { idle.count } }

    /// How often the idle readers waited for an answer of the server.
    var idleRoundTrips: Int { condition.withLock { idle.reduce(0) { $0 + $1.reader.roundTrips } } }

    /// How many rows the server has sent to the idle readers.
    var idleRowsReceived: Int { condition.withLock { idle.reduce(0) { $0 + $1.reader.rowsReceived } } }

    // MARK: Checking out

    func checkOut(for use: ReaderUse, waiting: Duration) -> ReaderCheckout {
        condition.lock()
        if checkouts.count >= settings.readerCount, !isClosed, waiting > .zero {
            _ = condition.wait(until: Date(timeIntervalSinceNow: waiting / .seconds(1)))
        }
        guard !isClosed else {
            condition.unlock()
            return .closed
        }
        guard checkouts.count < settings.readerCount else {
            defer { condition.unlock() }
            return .exhausted(onlyByLongUses: checkouts.allSatisfy(\.use.isLong))
        }
        lastNumber += 1
        let number = lastNumber
        let old = takeOutdated()
        let reader = idle.popLast()?.reader
        checkouts.append(Checkout(number: number, use: use, canceller: reader?.canceller))
        condition.unlock()
        for reader in old { reader.close() }
        reportConnections()
        if let reader {
            reader.checkedOut(as: number, for: use)
            return .reader(reader)
        }
        return make(number, use)
    }

    private func make(_ number: Int, _ use: ReaderUse) -> ReaderCheckout {
        // Why there is no connection, who reads with the store's own one is told.
        guard let connection = try? connector.connect() else {
            condition.withLock { _ = end(number) }
            reportConnections()
            return .unavailable
        }
        let reader = PostgresReader(
            PostgresSession(shape, connection: connection, connector: connector), pool: self, clock: clock)
        let isOpen = condition.withLock {
            guard !isClosed else { return false }
            if let index = checkouts.firstIndex(where: { $0.number == number }) {
                checkouts[index].canceller = connection.canceller
            }
            return true
        }
        reader.checkedOut(as: number, for: use)
        if isOpen {
            closeUnused(after: settings.lifetime)
            return .reader(reader)
        }
        reader.release()
        return .closed
    }

    /// Takes back a reader, which is used again if it is as one that was just made.
    func checkIn(_ reader: PostgresReader, _ number: Int, isSound: Bool) {
        let isKept = condition.withLock {
            guard end(number), isSound, !isClosed, !isOld(reader) else { return false }
            idle.append(Idle(reader: reader))
            return true
        }
        reportConnections()
        guard isKept else {
            reader.close()
            return fill()
        }
        closeUnused(after: settings.idleTime)
    }

    private func end(_ number: Int) -> Bool {
        guard let index = checkouts.firstIndex(where: { $0.number == number }) else { return false }
        checkouts.remove(at: index)
        condition.broadcast()
        return true
    }

    // MARK: Keeping the least number

    /// Has the readers made that are missing of the least number; without waiting for them.
    func fill() {
        let isMissing = condition.withLock {
            guard !isFilling, lacksReaders else { return false }
            isFilling = true
            return true
        }
        if isMissing { making.async { [weak self] in self?.makeMissing() } }
    }

    /// Asked while `condition` is held.
    private var lacksReaders: Bool { !isClosed && idle.count + checkouts.count < settings.leastReaderCount }

    private func makeMissing() {
        while condition.withLock({ lacksReaders }) {
            // A server that is gone or has no room is asked again after a while.
            guard let connection = try? connector.connect() else { return fillAgain() }
            let reader = PostgresReader(
                PostgresSession(shape, connection: connection, connector: connector), pool: self, clock: clock)
            let isWanted = condition.withLock {
                guard !isClosed, idle.count + checkouts.count < settings.readerCount else { return false }
                idle.append(Idle(reader: reader))
                return true
            }
            guard isWanted else {
                reader.close()
                break
            }
            reportConnections()
            closeUnused(after: settings.lifetime)
        }
        condition.withLock { isFilling = false }
        // One may have gone before that was noted.
        fill()
    }

    private func fillAgain() {
        making.asyncAfter(deadline: .now() + Self.pause) { [weak self] in self?.makeMissing() }
    }

    // MARK: Ending

    private func isOld(_ reader: PostgresReader) -> Bool { .now - reader.birth > settings.lifetime }

    private func closeUnused(after time: Duration) {
        clock.asyncAfter(deadline: .now() + time / .seconds(1) + 0.1) { [weak self] in
            guard let self else { return }
            for reader in condition.withLock({ self.takeOutdated() }) { reader.close() }
            reportConnections()
            fill()
        }
    }

    /// Takes out the readers that have been there for long, and as many of the long idle ones as exceed the number to keep.
    private func takeOutdated() -> [PostgresReader] {
        let now = ContinuousClock.now
        var outdated = idle.filter { isOld($0.reader) }.map(\.reader)
        var superfluous = idle.count - outdated.count + checkouts.count - settings.leastReaderCount
        for item in idle where superfluous > 0 && now - item.since > settings.idleTime && !isOld(item.reader) {
            outdated.append(item.reader)
            superfluous -= 1
        }
        idle.removeAll { item in outdated.contains { $0 === item.reader } }
        return outdated
    }

    /// Closes the readers; those who ask a question are waited for, and cancelled when that takes too long.
    ///
    /// Streamed reads and query generations keep their connections until they are released.
    func close() {
        condition.lock()
        isClosed = true
        let closed = idle.map(\.reader)
        idle = []
        condition.broadcast()
        if !waitForQuestions() {
            for checkout in checkouts where !checkout.use.isLong { checkout.canceller?.cancel() }
            _ = waitForQuestions()
        }
        condition.unlock()
        for reader in closed { reader.close() }
        reportConnections()
    }

    private func waitForQuestions() -> Bool {
        let end = Date(timeIntervalSinceNow: Self.grace / .seconds(1))
        while checkouts.contains(where: { !$0.use.isLong }) {
            guard condition.wait(until: end) else { return false }
        }
        return true
    }

    // MARK: Notification

    private func reportConnections() {
        guard CoreDataMetrics.isOn else { return }
        let (used, idle) = condition.withLock { (checkouts.count, self.idle.count) }
        let store = shape.location.publicURL.lastPathComponent
        CoreDataMetrics.setReaders(used: used, idle: idle, of: store, system: "postgresql")
    }

    var holders: String {
        let now = ContinuousClock.now
        return condition.withLock { checkouts }.map { checkout in
            let seconds = ((now - checkout.since) / .seconds(1)).formatted(.number.precision(.fractionLength(0...1)))
            return checkout.use.kind.rawValue + (checkout.use.owner.map { " of the context '\($0)'" } ?? "")
                + " for \(seconds) s"
        }.joined(separator: ", ")
    }
}
