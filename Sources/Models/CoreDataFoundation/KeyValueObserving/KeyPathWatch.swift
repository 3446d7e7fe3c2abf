/// Observes a dotted key path from an object: has a link to each object on the path, and replaces the links behind a
/// key whose value changes.
///
/// Also observes what a key on the path depends on: other keys of the same object by the link itself, key paths by
/// further watches, to a depth of 256.
final class KeyPathWatch {
    private let steps: [String]
    private unowned let observation: KeyObservation
    /// The link whose key depends on this path; nil for the path that the observer requested.
    private weak var dependent: KeyLink?
    private let depth: Int
    private var links: [KeyLink] = []

    init(_ keyPath: String, for observation: KeyObservation, dependent: KeyLink? = nil, depth: Int = 0) {
        steps = keyPath.split(separator: ".").map(String.init)
        self.observation = observation
        self.dependent = dependent
        self.depth = depth
    }

    func attach(to object: any KeyValueObserving) { attach(object, at: 0) }

    func detach() { detach(from: 0) }

    /// Whether the watch has links to several objects, or a link whose key depends on key paths.
    var reachesOthers: Bool { links.count > 1 || links.contains { !$0.paths.isEmpty } }

    /// Whether a link is at the end of the path that the observer requested.
    func isEnd(_ link: KeyLink) -> Bool { dependent == nil && link.level == steps.count - 1 }

    /// Replaces the links behind a link whose value has changed, and does the same for the paths that depend on this
    /// one.
    func refresh(after link: KeyLink) {
        var place: KeyLink? = link
        while let link = place, let watch = link.watch {
            watch.reattach(after: link)
            place = watch.dependent
        }
    }

    private func reattach(after link: KeyLink) {
        guard links.indices.contains(link.level), links[link.level] === link else { return }
        guard link.level + 1 < steps.count else { return }
        detach(from: link.level + 1)
        attach(next(after: link), at: link.level + 1)
    }

    private func attach(_ object: (any KeyValueObserving)?, at start: Int) {
        var next = object
        var level = start
        while let object = next, level < steps.count {
            let link = KeyLink(watch: self, observation: observation, object: object, key: steps[level], level: level)
            links.append(link)
            link.attach()
            followPaths(of: link)
            next = self.next(after: link)
            level += 1
        }
    }

    private func detach(from level: Int) {
        while links.count > level { links.removeLast().detach() }
    }

    /// The object behind a link, if the path continues and it can be observed.
    private func next(after link: KeyLink) -> (any KeyValueObserving)? {
        guard link.level + 1 < steps.count else { return nil }
        return link.object?.observedValue(atPath: link.key) as? any KeyValueObserving
    }

    private func followPaths(of link: KeyLink) {
        guard depth < 256, let object = link.object, !link.affectingPaths.isEmpty else { return }
        guard !isFollowed(link.key, of: object) else { return }
        for path in link.affectingPaths.sorted() {
            let watch = KeyPathWatch(path, for: observation, dependent: link, depth: depth + 1)
            link.paths.append(watch)
            watch.attach(to: object)
        }
    }

    /// Whether a link that depends on this watch, directly or through other watches, has the same key of the same
    /// object.
    private func isFollowed(_ key: String, of object: any KeyValueObserving) -> Bool {
        var place = dependent
        while let link = place {
            if link.object === object, link.keys.contains(key) { return true }
            place = link.watch?.dependent
        }
        return false
    }
}

/// One key of one object that a watch follows, with the keys of that object on which it depends.
final class KeyLink {
    private(set) weak var watch: KeyPathWatch?
    private(set) weak var observation: KeyObservation?
    private(set) weak var object: (any KeyValueObserving)?
    let key: String
    let level: Int
    /// The key, and all keys of the object on which it depends.
    let keys: Set<String>
    /// The key paths on which the key depends.
    let affectingPaths: Set<String>
    /// Watches of these paths.
    var paths: [KeyPathWatch] = []
    var number = 0

    init(
        watch: KeyPathWatch, observation: KeyObservation, object: any KeyValueObserving, key: String, level: Int
    ) {
        self.watch = watch
        self.observation = observation
        self.object = object
        self.key = key
        self.level = level
        (keys, affectingPaths) = type(of: object).influences(on: key)
    }

    func attach() { object?.madeKeyObservers.add(self) }

    func detach() {
        for path in paths { path.detach() }
        paths = []
        object?.keyObservers?.remove(self)
    }

    func refresh() { watch?.refresh(after: self) }
}

extension KeyValueObserving {
    /// Everything on which a key depends, also through other keys of the object: keys of the object, and key paths to
    /// others.
    fileprivate static func influences(on key: String) -> (keys: Set<String>, paths: Set<String>) {
        var keys: Set<String> = [key]
        var paths: Set<String> = []
        var pending = [key]
        while let next = pending.popLast() {
            for path in keyPathsForValuesAffectingValue(forKey: next) {
                if path.utf8.contains(UInt8(ascii: ".")) {
                    paths.insert(path)
                } else if keys.insert(path).inserted {
                    pending.append(path)
                }
            }
        }
        return (keys, paths)
    }
}
