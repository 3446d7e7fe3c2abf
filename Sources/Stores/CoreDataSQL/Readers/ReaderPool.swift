import Dispatch

/// The readers of one store: connections of their own, at most `readerCount`, made when they are first needed.
///
/// Each is opened with the settings of the store's own connection. What reads for long (streamed reads and query generations) has its
/// share of them. Where the settings name times, a reader that is idle for one of them is closed, and one that is older than the other
/// is not used again. At least `leastCount` readers are there though: what is missing is made in the background.
///
/// Invariants:
/// 1. `idle`, `checkouts` and the other variables are used only while `condition` is held.
/// 2. A reader is in `idle` or checked out by one user, never both; its place in `checkouts` is taken before it is made, except for those
///    that are made in the background: one at a time, and closed again if others have meanwhile made as many as there may be.
/// 3. A reader that was made before the last `renew` or `close` is closed when it comes back.
package final class ReaderPool: ReaderProviding, @unchecked Sendable {
    package struct Settings: Sendable {
        package var count = 4
        /// How many readers there are at least, once they could be made.
        package var leastCount = 0
        package var keepsStates = true
        package var patience = Duration.seconds(30)
        /// How long a reader may be idle, where it is not one of the least number.
        package var idleTime: Duration?
        /// How old a reader may become.
        package var lifetime: Duration?
        /// After how long the use of a reader is reported.
        package var longest = Duration.seconds(60)
        /// How long closing waits for those who ask a question, before they are interrupted.
        package var grace = Duration.seconds(2)

        package init() {}
    }

    /// Whose readers they are, as metrics name it.
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
        /// Nil until the reader has been made.
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

    /// After how many seconds a reader that could not be made in the background is tried again.
    private static let pause = 1.0

    private let subject: Subject
    private let settings: Settings
    private let newReader: () throws -> (any PoolReader)?
    /// The queue on which readers that are no longer needed are closed.
    private let clock = DispatchQueue(label: "CoreData.ReaderPool")
    /// The queue on which readers are made in advance.
    private let making = DispatchQueue(label: "CoreData.ReaderPool.making")
    private let condition = NSCondition()
    private var idle: [Idle] = []
    private var checkouts: [Checkout] = []
    private var lastNumber = 0
    private var isClosed = false
    /// Whether the missing readers are being made.
    private var isFilling = false

    package var readerCount: Int { settings.count }
    package var keepsStates: Bool { settings.keepsStates }
    package var patience: Duration { settings.patience }

    /// - Parameter newReader: makes a reader; nil and errors mean that none can be made now. Called from any thread, never while the pool is
    ///   locked.
    package init(_ subject: Subject, settings: Settings, newReader: @escaping () throws -> (any PoolReader)?) {
        self.subject = subject
        self.settings = settings
        self.newReader = newReader
    }

    /// The readers that wait to be used.
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
        // The store's own connection, which is used then, reports what is wrong with the file, the server or the process.
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

    /// Takes a reader back, which is used again if it is as one that was just made.
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

    /// Has the readers made that are missing of the least number; without waiting for them.
    package func fill() {
        let isMissing = condition.withLock {
            guard !isFilling, lacksReaders else { return false }
            isFilling = true
            return true
        }
        if isMissing { making.async { [weak self] in self?.makeMissing() } }
    }

    /// Asked while `condition` is held.
    private var lacksReaders: Bool { !isClosed && idle.count + checkouts.count < settings.leastCount }

    private func makeMissing() {
        while condition.withLock({ lacksReaders }) {
            // A server that is gone or has no room is asked again after a while.
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
        // One may have gone before that was noted.
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

    /// Takes out the readers that are too old, and as many of those that were idle for too long as exceed the least number.
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

    /// Closes the readers; those who ask a question are waited for, and interrupted when that takes too long.
    ///
    /// Streamed reads and query generations keep their connections until they are released.
    package func close() { endCheckouts(closing: true) }

    /// Sees to it that only connections made from here on are read with; waits for those who ask a question.
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

    /// Whether those who asked a question when the readers became outdated have ended.
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

    /// The uses of readers that take longer than the settings allow, as parts of a sentence; each is given once.
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

/// A reader that a pool makes, lends and closes.
package protocol PoolReader: PooledReader {
    /// With what it was checked out; nil while it is idle. A reader that is released returns itself with it.
    var ticket: ReaderTicket? { get set }
    func close()
}

/// What a reader is checked out with, and is returned by.
package struct ReaderTicket: Sendable {
    package let use: ReaderUse
    fileprivate let pool: ReaderPool
    fileprivate let number: Int

    /// Returns the reader; one that is not sound, or that the pool no longer needs, is closed.
    package func checkIn(_ reader: any PoolReader, isSound: Bool) {
        pool.checkIn(reader, number: number, isSound: isSound)
    }
}
