import Synchronization

/// The observers of one object: made for the first observer, dropped after the last.
///
/// Belongs to the queue that owns the object. Observers of its keys are notified in the order in which
/// they were added.
///
/// Invariants:
/// 1. `observations` are those whose key paths start at this object; `links` are the steps at which a key path of any
///    observation passes through this object.
/// 2. `changes` has an entry for each change that was announced and has not happened yet, the newest last.
public final class KeyObserverRegistry {
    /// A change between the calls of `willChange` and `didChange`.
    private struct Change {
        let key: String
        let parts: [Part]

        func notifyPrior() {
            for part in parts { part.observation.notifyPrior(part.change) }
        }
    }

    /// One observer's part in a change.
    private struct Part {
        let observation: KeyObservation
        let mutation: KeyMutation
        let change: RecordedChange
    }

    private weak var owner: (any KeyValueObserving)?
    private var observations: [Int: KeyObservation] = [:]
    /// The numbers of the observations of each observer that is an object.
    private var numbers: [ObjectIdentifier: Set<Int>] = [:]
    private var links: [String: [Int: KeyLink]] = [:]
    private var changes: [Change] = []
    private var lastNumber = 0
    /// Raised on any thread when an observation is not wanted any more.
    let abandonment = Abandonment()

    init(owner: any KeyValueObserving) { self.owner = owner }

    /// The number of observations that begin at the object.
    package var observationCount: Int { observations.count }

    /// Ends all sequences of changes; for an object that is deleted.
    package func endSequences() {
        for observation in inOrder(observations) where observation.ended != nil { observation.cancel() }
    }

    // MARK: Changes

    package func willChange(_ key: String, by mutation: KeyMutation) {
        dropUnwanted()
        let change = Change(key: key, parts: parts(in: key, mutation))
        changes.append(change)
        change.notifyPrior()
    }

    package func didChange(_ key: String) {
        guard let place = changes.lastIndex(where: { $0.key == key }) else { return }
        let change = changes.remove(at: place)
        for link in inOrder(links[key] ?? [:]) { link.refresh() }
        for part in change.parts { part.observation.notify(part.change, after: part.mutation) }
        dropUnwanted()
        dissolveIfIdle()
    }

    /// Records the values at a key before an operation that may change them; the caller must call `finishChange` after
    /// it.
    package func expectChange(of key: String) {
        dropUnwanted()
        changes.append(Change(key: key, parts: parts(in: key, .setting)))
    }

    /// Notifies observers if the expected change has happened, also those with the option `.prior`, which are called
    /// only now; otherwise discards the record.
    package func finishChange(of key: String, hasCome: Bool) {
        guard let place = changes.lastIndex(where: { $0.key == key }) else { return }
        if hasCome {
            changes[place].notifyPrior()
            didChange(key)
        } else {
            changes.remove(at: place)
            dissolveIfIdle()
        }
    }

    /// The keys of the object whose changes are observed.
    package var observedKeys: [String] { Array(links.keys) }

    /// Whether an observation that begins at the object also observes other objects.
    package var reachesOthers: Bool { observations.values.contains(where: \.reachesOthers) }

    private func parts(in key: String, _ mutation: KeyMutation) -> [Part] {
        affected(by: key).map { observation, isDirect in
            let mutation = isDirect ? mutation : .setting
            return Part(observation: observation, mutation: mutation, change: observation.begin(mutation))
        }
    }

    /// The observations that a change of a key affects, each once; `isDirect` if their key path ends with that very
    /// key, false if the path passes through the key or depends on it.
    private func affected(by key: String) -> [(KeyObservation, isDirect: Bool)] {
        var places: [ObjectIdentifier: Int] = [:]
        var result: [(KeyObservation, isDirect: Bool)] = []
        for link in inOrder(links[key] ?? [:]) {
            guard let observation = link.observation, observation.isActive else { continue }
            let isDirect = link.key == key && link.watch?.isEnd(link) == true
            if let place = places[ObjectIdentifier(observation)] {
                result[place].isDirect = result[place].isDirect || isDirect
            } else {
                places[ObjectIdentifier(observation)] = result.count
                result.append((observation, isDirect))
            }
        }
        return result
    }

    // MARK: Observers

    func add(_ observation: KeyObservation) {
        lastNumber += 1
        observation.number = lastNumber
        observations[lastNumber] = observation
        if let observer = observation.observer { numbers[observer.identity, default: []].insert(lastNumber) }
        dropUnwanted()
    }

    func remove(_ observation: KeyObservation) {
        let removed = observations.removeValue(forKey: observation.number)
        if let observer = observation.observer {
            numbers[observer.identity]?.remove(observation.number)
            if numbers[observer.identity]?.isEmpty == true { numbers[observer.identity] = nil }
        }
        withExtendedLifetime(removed) { dissolveIfIdle() }
    }

    func add(_ link: KeyLink) {
        lastNumber += 1
        link.number = lastNumber
        for key in link.keys { links[key, default: [:]][link.number] = link }
    }

    func remove(_ link: KeyLink) {
        for key in link.keys {
            links[key]?[link.number] = nil
            if links[key]?.isEmpty == true { links[key] = nil }
        }
        dissolveIfIdle()
    }

    /// The observation that an observer began last, among those that match.
    func lastObservation(
        by observer: any KeyValueObserver, where matches: (KeyObservation) -> Bool
    ) -> KeyObservation? {
        let own = (numbers[ObjectIdentifier(observer)] ?? []).compactMap { observations[$0] }
        return own.filter(matches).max { $0.number < $1.number }
    }

    private func inOrder<Element>(_ elements: [Int: Element]) -> [Element] {
        guard elements.count > 1 else { return Array(elements.values) }
        return elements.sorted { $0.key < $1.key }.map(\.value)
    }

    // MARK: Ends

    /// Cancels observations whose observer or reader is gone, if `abandonment` was raised since the last call.
    func dropUnwanted() {
        guard abandonment.take() else { return }
        for observation in inOrder(observations) where !observation.isWanted() { observation.cancel() }
    }

    private func dissolveIfIdle() {
        guard observations.isEmpty, links.isEmpty, changes.isEmpty, owner?.keyObservers === self else { return }
        owner?.keyObservers = nil
    }
}

/// A flag that any thread raises when an observation of a registry is no longer wanted.
final class Abandonment: Sendable {
    private let isRaised = Atomic(false)

    func raise() { isRaised.store(true, ordering: .releasing) }

    /// Whether the flag was raised since the last call; lowers it.
    func take() -> Bool {
        guard isRaised.load(ordering: .relaxed) else { return false }
        return isRaised.exchange(false, ordering: .acquiringAndReleasing)
    }
}
