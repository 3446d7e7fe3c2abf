import CoreDataStore
import Observation

/// The observers of one object; used only on the queue of the object's context.
///
/// Invariants:
/// 1. `open[key]` counts the nested changes of the key that have begun and not ended; only the outermost is reported.
/// 2. `read` has the numbers of the properties whose reads `registrar` was notified of since it was made.
final class ObjectObservers {
    var keys: KeyObserverRegistry?
    private var open: [String: Int] = [:]
    private(set) var registrar: ObservationRegistrar?
    private(set) var read = SlotSet()

    // MARK: Observers of keys

    /// Reports a change of a key that is about to happen, unless it is part of one that has been reported.
    func begin(_ key: String, by mutation: @autoclosure () -> KeyMutation) {
        guard let keys else { return }
        let depth = open[key, default: 0]
        open[key] = depth + 1
        if depth == 0 { keys.willChange(key, by: mutation()) }
    }

    /// Reports a change that has happened, if its beginning was reported.
    func finish(_ key: String) {
        guard let depth = open[key] else { return }
        open[key] = depth == 1 ? nil : depth - 1
        if depth == 1 { keys?.didChange(key) }
    }

    /// Drops the observers and the changes that have begun, when the last observer has been removed.
    func dropKeys() {
        keys = nil
        open = [:]
    }

    // MARK: Tracking of reads

    func noteRead(_ place: Int, of object: NSManagedObject) {
        let registrar = registrar ?? ObservationRegistrar()
        self.registrar = registrar
        read.insert(place)
        registrar.access(ObservedSubject.shared, keyPath: ObservedKeyPath.of(place))
    }

    func willMutate(_ place: Int, of object: NSManagedObject) {
        guard let registrar, read.contains(place) else { return }
        registrar.willSet(ObservedSubject.shared, keyPath: ObservedKeyPath.of(place))
    }

    func didMutate(_ place: Int, of object: NSManagedObject) {
        guard let registrar, read.contains(place) else { return }
        registrar.didSet(ObservedSubject.shared, keyPath: ObservedKeyPath.of(place))
    }

    /// Reports a mutation of every property that was read.
    func mutateAll(of object: NSManagedObject) {
        guard registrar != nil else { return }
        for place in 0..<object.layout.slots.count + object.layout.toMany.count where read.contains(place) {
            willMutate(place, of: object)
            didMutate(place, of: object)
        }
    }
}
