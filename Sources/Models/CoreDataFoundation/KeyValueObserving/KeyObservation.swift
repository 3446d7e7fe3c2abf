/// One observer's observation of one key path of one object.
///
/// The object's registry owns it, so that it ends when the object is deallocated; tokens refer to it weakly.
final class KeyObservation {
    struct Observer {
        let identity: ObjectIdentifier
        let context: UnsafeMutableRawPointer?
    }

    let keyPath: String
    let options: NSKeyValueObservingOptions
    let observer: Observer?
    private(set) weak var root: (any KeyValueObserving)?
    private let read: (any KeyValueObserving) -> Any?
    private let deliver: (any KeyValueObserving, RecordedChange) -> Void
    private var watch: KeyPathWatch?
    /// Whether the observer still wants changes; if not, the registry cancels the observation.
    var isWanted: () -> Bool = { true }
    /// Called once, when the observation is cancelled or its object is deallocated; set for sequences of changes only.
    var ended: (() -> Void)?
    private(set) var isActive = false
    var number = 0

    init(
        of keyPath: String, on root: any KeyValueObserving, options: NSKeyValueObservingOptions,
        observer: Observer? = nil, read: @escaping (any KeyValueObserving) -> Any?,
        deliver: @escaping (any KeyValueObserving, RecordedChange) -> Void
    ) {
        self.keyPath = keyPath
        self.root = root
        self.options = options
        self.observer = observer
        self.read = read
        self.deliver = deliver
    }

    deinit {
        watch?.detach()
        ended?()
    }

    /// Begins to observe; reports the present value if the options request it.
    func start() {
        guard let root else { return }
        isActive = true
        root.madeKeyObservers.add(self)
        let watch = KeyPathWatch(keyPath, for: self)
        self.watch = watch
        watch.attach(to: root)
        guard options.contains(.initial) else { return }
        deliver(root, RecordedChange(new: options.contains(.new) ? .init(value: read(root)) : nil))
    }

    /// Stops observing; harmless when repeated.
    func cancel() {
        guard isActive else { return }
        isActive = false
        watch?.detach()
        watch = nil
        let ended = ended
        self.ended = nil
        root?.keyObservers?.remove(self)
        ended?()
    }

    /// Returns what is known of a change before it happens.
    func begin(_ mutation: KeyMutation) -> RecordedChange {
        mutation.change(of: value, options: options)
    }

    func notifyPrior(_ change: RecordedChange) {
        guard isActive, options.contains(.prior), let root else { return }
        var prior = change
        prior.isPrior = true
        prior.new = nil
        deliver(root, prior)
    }

    func notify(_ change: RecordedChange, after mutation: KeyMutation) {
        guard isActive, let root else { return }
        var change = change
        mutation.complete(&change, value: value, options: options)
        deliver(root, change)
    }

    /// Whether the key path, or one on which its value depends, leads to objects other than the root.
    var reachesOthers: Bool { watch?.reachesOthers == true }

    private var value: Any? { root.flatMap { read($0) } }
}
