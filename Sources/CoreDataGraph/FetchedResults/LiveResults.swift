import CoreDataStore

/// The lists that follow a context's changes, and what they are still to be told. None is kept alive.
///
/// Used on the context's queue.
final class LiveResults {
    private struct Follower {
        weak var engine: ResultsEngine?
    }

    private var followers: [Follower] = []
    private var waiting = LiveChanges()

    /// Whether there is nobody to tell.
    var isEmpty: Bool { followers.isEmpty }

    func add(_ engine: ResultsEngine) {
        followers.removeAll { $0.engine == nil || $0.engine === engine }
        followers.append(Follower(engine: engine))
    }

    /// Adds to what is told next.
    func note(_ objects: some Sequence<NSManagedObject>) {
        if !isEmpty { waiting.objects += objects }
    }

    /// Adds to what is told next.
    func note(_ records: some Sequence<RowAddress>) {
        if !isEmpty { waiting.records += records }
    }

    /// Adds to what is told next.
    func noteGone(_ records: some Sequence<RowAddress>) {
        if !isEmpty { waiting.goneRecords += records }
    }

    /// Adds to what is told next that the stores have what the context has.
    func noteSave() {
        if !isEmpty { waiting.isSave = true }
    }

    /// Makes every list to be fetched again when they are told next.
    func noteAll() {
        if !isEmpty { waiting.concernsAll = true }
    }

    /// Lets every list know that the context was reset, instead of all that was noted.
    func noteReset() {
        guard !isEmpty else { return }
        waiting = LiveChanges()
        waiting.concernsAll = true
        waiting.replacesObjects = true
    }

    /// Tells each list of all that was noted.
    func tell() {
        guard !waiting.isEmpty else { return }
        let changes = waiting
        waiting = LiveChanges()
        let engines = followers.compactMap(\.engine)
        if engines.count < followers.count { followers.removeAll { $0.engine == nil } }
        for engine in engines { engine.take(changes) }
    }

    /// Records are called otherwise from now on.
    func rename(_ place: RowKey, to address: RowAddress) {
        for follower in followers { follower.engine?.rename(place, to: address) }
        if !isEmpty { waiting.hasNewIdentifiers = true }
    }
}
