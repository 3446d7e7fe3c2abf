/// Follows a dotted key path from an object: has a link at each object on the way, and moves them when one changes.
///
/// What a property depends on is followed too: keys of the same object by the link itself, key paths by watches of their
/// own, to a depth of 256.
final class KeyPathWatch {
    private let steps: [String]
    private unowned let observation: KeyObservation
    /// The link whose key changes with the value at this path; nil for the path that the observer requested.
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

    /// Whether the watch has links at further objects, or may have by what the values depend on.
    var reachesOthers: Bool { links.count > 1 || links.contains { !$0.paths.isEmpty } }

    /// Whether a link is at the end of the path that the observer requested.
    func isEnd(_ link: KeyLink) -> Bool { dependent == nil && link.level == steps.count - 1 }

    /// Moves the links behind one whose value has changed, and those of the paths that depend on this one.
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

    /// Whether one of the links that this watch is there for has the same key of the same object.
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
    /// The key and all keys of the object that it depends on.
    let keys: Set<String>
    /// The key paths that it depends on.
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
    /// Everything that a key depends on, through other keys of the object: keys of the object, and paths beyond it.
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
