import Dispatch

/// The pool of a store's reader connections: at most `readerCount`, each opened when it is first needed.
///
/// Each reader is opened with the settings of the store's own connection. Long uses (streamed reads and query
/// generations) may occupy only a part of the pool. If the settings limit a reader's idle time or age, a reader that
/// exceeds the limit is closed. The pool opens readers in the background until it has at least `leastCount`.
///
/// Invariants:
/// 1. `idle`, `checkouts` and the other variables are accessed only while `condition` is locked.
/// 2. A reader is either in `idle` or checked out by one user. Its entry in `checkouts` is added before it is opened,
///    except for readers opened in the background: these are opened one at a time, and closed again if the pool is full
///    by then.
/// 3. A reader that was opened before the last `renew` or `close` is closed when it is returned.
package final class ReaderPool: ReaderProviding, @unchecked Sendable {
    package struct Settings: Sendable {
        package var count = 4
        /// The minimum number of readers that the pool keeps open, as far as they can be opened.
        package var leastCount = 0
        package var keepsStates = true
        package var patience = Duration.seconds(30)
        /// How long a reader may be idle before it is closed; readers that make up `leastCount` stay open. Nil for no
        /// limit.
        package var idleTime: Duration?
        /// How old a reader may become before it is closed; nil for no limit.
        package var lifetime: Duration?
        /// The duration of a use after which it is reported.
        package var longest = Duration.seconds(60)
        /// How long `close` and `renew` wait for reads in progress before they interrupt them.
        package var grace = Duration.seconds(2)

        package init() {}
    }

    /// The store and system whose readers the pool contains, for metrics.
    package struct Subject: Sendable {
        package let store: String
        package let system: String

        package init(store: String, system: String) {
            self.store = store
            self.system = system
        }
    }

    private struct Checkout {
        let number: Int
        let use: ReaderUse
        let since = ContinuousClock.now
        /// When the reader was opened; nil until then.
        var birth: ContinuousClock.Instant?
        var interruption: (@Sendable () -> Void)?
        var isReported = false
        var isOutdated = false
    }

    private struct Idle {
        let reader: any PoolReader
        let birth: ContinuousClock.Instant
        let since = ContinuousClock.now
    }

    /// The delay in seconds before opening a reader in the background is tried again after a failure.
    private static let pause = 1.0

    private let subject: Subject
    private let settings: Settings
    private let newReader: () throws -> (any PoolReader)?
    /// The queue on which readers that are no longer needed are closed.
    private let clock = DispatchQueue(label: "CoreData.ReaderPool")
    /// The queue on which readers are opened in the background.
    private let making = DispatchQueue(label: "CoreData.ReaderPool.making")
    private let condition = NSCondition()
    private var idle: [Idle] = []
    private var checkouts: [Checkout] = []
    private var lastNumber = 0
    private var isClosed = false
    /// Whether readers are being opened in the background.
    private var isFilling = false

    package var readerCount: Int { settings.count }
    package var keepsStates: Bool { settings.keepsStates }
    package var patience: Duration { settings.patience }

    /// - Parameter newReader: opens a reader; nil and errors mean that none can be opened now. Called from any thread,
    ///   never while the pool is locked.
    package init(_ subject: Subject, settings: Settings, newReader: @escaping () throws -> (any PoolReader)?) {
        self.subject = subject
        self.settings = settings
        self.newReader = newReader
    }

    /// The readers that are not checked out.
    package var idleReaders: [any PoolReader] { condition.withLock { idle.map(\.reader) } }

    // MARK: Checking out

    package func checkOut(for use: ReaderUse, waiting: Duration) -> ReaderCheckout {
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
        let ticket = ReaderTicket(use: use, pool: self, number: lastNumber)
        let unused = takeUnused()
        let free = idle.popLast()
        checkouts.append(
            Checkout(number: ticket.number, use: use, birth: free?.birth, interruption: free?.reader.interruption))
        condition.unlock()
        for reader in unused { reader.close() }
        reportConnections()
        guard let free else { return make(ticket) }
        free.reader.ticket = ticket
        return .reader(free.reader)
    }

    private func make(_ ticket: ReaderTicket) -> ReaderCheckout {
        // The caller then uses the store's own connection, which reports what is wrong with the file, the server or the
        // process.
        guard let reader = try? newReader() else {
            condition.withLock { _ = end(ticket.number) }
            reportConnections()
            return .unavailable
        }
        let interruption = reader.interruption
        reader.ticket = ticket
        let isOpen = condition.withLock {
            guard !isClosed else { return false }
            if let index = checkouts.firstIndex(where: { $0.number == ticket.number }) {
                (checkouts[index].birth, checkouts[index].interruption) = (.now, interruption)
            }
            return true
        }
        guard isOpen else {
            reader.release()
            return .closed
        }
        closeUnused(after: settings.lifetime)
        return .reader(reader)
    }

    /// Returns a reader to the pool, which closes it unless it is sound, not too old, and not outdated by `renew` or
    /// `close`.
    fileprivate func checkIn(_ reader: any PoolReader, number: Int, isSound: Bool) {
        let isKept = condition.withLock {
            guard let checkout = end(number), isSound, !isClosed, !checkout.isOutdated, let birth = checkout.birth,
                !isOld(birth)
            else { return false }
            idle.append(Idle(reader: reader, birth: birth))
            return true
        }
        if !isKept { reader.close() }
        reportConnections()
        if isKept { closeUnused(after: settings.idleTime) } else { fill() }
    }

    private func end(_ number: Int) -> Checkout? {
        guard let index = checkouts.firstIndex(where: { $0.number == number }) else { return nil }
        condition.broadcast()
        return checkouts.remove(at: index)
    }

    // MARK: The least number

    /// Starts opening the readers that are missing from the minimum number, without waiting for them.
    package func fill() {
        let isMissing = condition.withLock {
            guard !isFilling, lacksReaders else { return false }
            isFilling = true
            return true
        }
        if isMissing { making.async { [weak self] in self?.makeMissing() } }
    }

    /// Whether readers are missing from the minimum number; called while `condition` is locked.
    private var lacksReaders: Bool { !isClosed && idle.count + checkouts.count < settings.leastCount }

    private func makeMissing() {
        while condition.withLock({ lacksReaders }) {
            // If a server is unreachable or accepts no more connections, opening is tried again after a delay.
            guard let reader = try? newReader() else { return fillAgain() }
            let isWanted = condition.withLock {
                guard !isClosed, idle.count + checkouts.count < settings.count else { return false }
                idle.append(Idle(reader: reader, birth: .now))
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
        // A reader may have been closed before `isFilling` became false.
        fill()
    }

    private func fillAgain() {
        making.asyncAfter(deadline: .now() + Self.pause) { [weak self] in self?.makeMissing() }
    }

    // MARK: Readers that are no longer needed

    private func isOld(_ birth: ContinuousClock.Instant) -> Bool {
        settings.lifetime.map { .now - birth > $0 } ?? false
    }

    private func closeUnused(after time: Duration?) {
        guard let time else { return }
        clock.asyncAfter(deadline: .now() + time / .seconds(1) + 0.1) { [weak self] in
            guard let self else { return }
            for reader in condition.withLock({ self.takeUnused() }) { reader.close() }
            reportConnections()
            fill()
        }
    }

    /// Removes from `idle` the readers that are too old, and those idle for too long as far as they exceed the minimum
    /// number.
    private func takeUnused() -> [any PoolReader] {
        guard !idle.isEmpty, settings.lifetime != nil || settings.idleTime != nil else { return [] }
        let now = ContinuousClock.now
        var unused: [any PoolReader] = []
        var kept: [Idle] = []
        var surplus = idle.count { !isOld($0.birth) } + checkouts.count - settings.leastCount
        for item in idle {
            if isOld(item.birth) {
                unused.append(item.reader)
            } else if surplus > 0, let idleTime = settings.idleTime, now - item.since > idleTime {
                unused.append(item.reader)
                surplus -= 1
            } else {
                kept.append(item)
            }
        }
        idle = kept
        return unused
    }

    // MARK: Ending

    /// Closes the readers. Waits for reads in progress, and interrupts them when that takes too long.
    ///
    /// Streamed reads and query generations keep their connections until they are released.
    package func close() { endCheckouts(closing: true) }

    /// Makes all later reads use connections that are opened from now on; waits for reads in progress like `close`.
    package func renew() { endCheckouts(closing: false) }

    private func endCheckouts(closing: Bool) {
        condition.lock()
        if closing { isClosed = true }
        for index in checkouts.indices { checkouts[index].isOutdated = true }
        let closed = idle.map(\.reader)
        idle = []
        condition.broadcast()
        if !waitForQuestions() {
            for checkout in checkouts where !checkout.use.isLong && checkout.isOutdated { checkout.interruption?() }
            _ = waitForQuestions()
        }
        condition.unlock()
        for reader in closed { reader.close() }
        reportConnections()
    }

    /// Waits until all short uses of outdated readers have ended; returns false after the grace period.
    private func waitForQuestions() -> Bool {
        let end = Date(timeIntervalSinceNow: settings.grace / .seconds(1))
        while checkouts.contains(where: { $0.isOutdated && !$0.use.isLong }) {
            guard condition.wait(until: end) else { return false }
        }
        return true
    }

    // MARK: Notification

    private func reportConnections() {
        guard CoreDataMetrics.isOn else { return }
        let (used, idle) = condition.withLock { (checkouts.count, self.idle.count) }
        CoreDataMetrics.setReaders(used: used, idle: idle, of: subject.store, system: subject.system)
    }

    package var holders: String {
        let checkouts = condition.withLock { self.checkouts }
        let now = ContinuousClock.now
        return checkouts.map { Self.sentence($0, at: now) }.joined(separator: ", ")
    }

    private static func sentence(_ checkout: Checkout, at now: ContinuousClock.Instant) -> String {
        let seconds = ((now - checkout.since) / .seconds(1)).formatted(.number.precision(.fractionLength(0...1)))
        return checkout.use.kind.rawValue + (checkout.use.owner.map { " of the context '\($0)'" } ?? "")
            + " for \(seconds) s"
    }

    /// Returns the uses of readers that last longer than the settings allow, as parts of a sentence; each use is
    /// returned once.
    package func newLongUses() -> [String] {
        let now = ContinuousClock.now
        return condition.withLock {
            checkouts.indices.compactMap { index in
                guard !checkouts[index].isReported, now - checkouts[index].since > settings.longest else { return nil }
                checkouts[index].isReported = true
                return Self.sentence(checkouts[index], at: now)
            }
        }
    }
}

/// A reader that a pool opens, lends and closes.
package protocol PoolReader: PooledReader {
    /// The ticket of the checkout; nil while the reader is idle. When the reader is released, it returns itself with
    /// the ticket.
    var ticket: ReaderTicket? { get set }
    func close()
}

/// Identifies a checkout; used to return the reader to its pool.
package struct ReaderTicket: Sendable {
    package let use: ReaderUse
    fileprivate let pool: ReaderPool
    fileprivate let number: Int

    /// Returns the reader to the pool; closes it if it is not sound or the pool no longer needs it.
    package func checkIn(_ reader: any PoolReader, isSound: Bool) {
        pool.checkIn(reader, number: number, isSound: isSound)
    }
}
