import CoreDataFoundation

/// A plain class that tells observers of its changes, as a managed object does.
class Colleague: KeyValueObserving, MutableKeyValueCoding {
    var keyObservers: KeyObserverRegistry?
    private var values: [String: Any] = [:]

    init(name: String? = nil, boss: Colleague? = nil) {
        values["name"] = name
        values["boss"] = boss
    }

    private static let stored = [
        "name", "boss", "birth", "rate", "principal", "subtotal", "taxRate", "friends", "tags",
    ]
    private static let computed = ["age", "payment", "tax", "totalDue", "title", "ranks", "lead"]

    var codedKeys: [String] { Self.stored + Self.computed }

    var name: String? {
        get { values["name"] as? String }
        set { set(newValue, for: "name") }
    }
    var boss: Colleague? {
        get { values["boss"] as? Colleague }
        set { set(newValue, for: "boss") }
    }
    var friends: Set<String> { values["friends"] as? Set<String> ?? [] }
    var tags: [String] { values["tags"] as? [String] ?? [] }
    var title: String { "\(name ?? "?") of \(boss?.name ?? "nobody")" }
    /// The names up the chain, which may be a ring.
    var ranks: String {
        var (names, seen, next): (String, Set<ObjectIdentifier>, Colleague?) = ("", [], self)
        while let person = next, seen.insert(ObjectIdentifier(person)).inserted {
            names += person.name ?? "?"
            next = person.boss
        }
        return names
    }

    func set(_ value: Any?, for key: String) {
        willChangeValue(forKey: key)
        values[key] = value
        didChangeValue(forKey: key)
    }

    func change(friends mutation: NSKeyValueSetMutationKind, _ objects: Set<String>) {
        willChangeValue(forKey: "friends", withSetMutation: mutation, using: objects)
        switch mutation {
        case .union: values["friends"] = friends.union(objects)
        case .minus: values["friends"] = friends.subtracting(objects)
        case .intersect: values["friends"] = friends.intersection(objects)
        case .set: values["friends"] = objects
        }
        didChangeValue(forKey: "friends", withSetMutation: mutation, using: objects)
    }

    func changeTags(_ kind: NSKeyValueChange, at indexes: IndexSet, to tags: [String]) {
        willChange(kind, valuesAt: indexes, forKey: "tags")
        values["tags"] = tags
        didChange(kind, valuesAt: indexes, forKey: "tags")
    }

    func codedValue(forKey key: String) throws -> Any? {
        switch key {
        case "age": return 2_000 - number("birth")
        case "payment": return number("principal") * number("rate")
        case "tax": return number("subtotal") * number("taxRate") / 100
        case "totalDue": return number("subtotal") + number("subtotal") * number("taxRate") / 100
        case "title": return title
        case "ranks": return ranks
        case "lead": return boss?.boss
        default:
            guard Self.stored.contains(key) else { throw unknownKey(key) }
            return values[key]
        }
    }

    private func number(_ key: String) -> Int { values[key] as? Int ?? 0 }

    func setCodedValue(_ value: Any?, forKey key: String) throws {
        guard Self.stored.contains(key) else { throw unknownKey(key) }
        changeValue(forKey: key) { values[key] = value }
    }

    class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
        switch key {
        case "age": ["birth"]
        case "payment": ["principal", "rate"]
        case "tax": ["subtotal", "taxRate"]
        case "totalDue": ["subtotal", "tax"]
        case "title": ["name", "boss.name"]
        case "ranks": ["name", "boss", "boss.ranks"]
        case "lead": ["boss.boss"]
        default: []
        }
    }

    class func automaticallyNotifiesObservers(forKey key: String) -> Bool { key != "taxRate" }

    static func key(of keyPath: AnyKeyPath) -> String? {
        switch keyPath {
        case \Colleague.name: "name"
        case \Colleague.title: "title"
        case \Colleague.friends: "friends"
        case \Colleague.boss?.name: "boss.name"
        default: nil
        }
    }
}

/// Writes down what it is told by name.
final class Listener: KeyValueObserver {
    private(set) var heard: [String] = []

    func observeValue(
        forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
        context: UnsafeMutableRawPointer?
    ) {
        let old = change?[.oldKey].map { "\($0)" } ?? "nil"
        let new = change?[.newKey].map { "\($0)" } ?? "nil"
        let prior = change?[.notificationIsPriorKey] as? Bool == true ? "will " : ""
        heard.append("\(prior)\(keyPath ?? "") \(old)>\(new)")
    }

    /// What it was told since the last time.
    func take() -> [String] {
        defer { heard = [] }
        return heard
    }
}
