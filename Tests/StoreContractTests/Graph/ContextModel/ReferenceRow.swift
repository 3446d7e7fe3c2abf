/// A property of the records of the random test, by its name in the model.
enum NodeKey: String, CaseIterable, Comparable {
    case text, count, blob, link, owner

    static let attributes: [NodeKey] = [.text, .count, .blob]
    static let toOnes: [NodeKey] = [.link, .owner]

    static func < (one: NodeKey, other: NodeKey) -> Bool { one.rawValue < other.rawValue }
}

/// What records have: numbers that stand for texts, integers, data and other records; nil where there is nothing.
typealias NodeValues = [NodeKey: Int]

/// One state of a record; no two states that were ever written have the same version.
struct ReferenceRow: Equatable {
    var values: NodeValues = [:]
    var version = 0
}

/// The records of a store, of which nobody knows but by reading.
final class ReferenceStore {
    var rows: [Int: ReferenceRow] = [:]
    /// The records that each is tagged with.
    var tags: [Int: Set<Int>] = [:]
    /// Records that were brought back after a deletion: what they were tagged with may have gone, or not.
    var vaguelyTagged: Set<Int> = []
    private var lastVersion = 0

    func write(_ number: Int, _ values: NodeValues) -> ReferenceRow {
        lastVersion += 1
        let row = ReferenceRow(values: values, version: lastVersion)
        rows[number] = row
        return row
    }
}

/// One object with values in one context: what it was read as, and what was changed since.
struct ReferenceObject: Equatable {
    enum Life { case unchanged, inserted, updated, deleted }

    var snapshot = ReferenceRow()
    var changes: [NodeKey: Int?] = [:]
    var addedTags: Set<Int> = []
    var removedTags: Set<Int> = []
    var life = Life.unchanged
    /// Whether a child saved into it since the last save.
    var isFromChild = false

    var hasChanges: Bool { life != .unchanged }

    var values: NodeValues {
        var values = snapshot.values
        for (key, value) in changes { values[key] = value }
        return values
    }

    /// The keys whose values are others than those that were read.
    var differing: [NodeKey] { changes.keys.filter { changes[$0] != snapshot.values[$0] } }

    var writesNothing: Bool { differing.isEmpty && !hasTagChanges }
    var hasTagChanges: Bool { !addedTags.isEmpty || !removedTags.isEmpty }

    mutating func tag(_ tag: Int, stored: Set<Int>) {
        removedTags.remove(tag)
        if !stored.contains(tag) { addedTags.insert(tag) }
        if life == .unchanged { life = .updated }
    }

    mutating func untag(_ tag: Int, stored: Set<Int>) {
        addedTags.remove(tag)
        if stored.contains(tag) { removedTags.insert(tag) }
        if life == .unchanged { life = .updated }
    }

    mutating func overrule(_ tag: Int, _ isOn: Bool) {
        if isOn { removedTags.remove(tag) } else { addedTags.remove(tag) }
        if isOn { addedTags.insert(tag) } else { removedTags.insert(tag) }
        if life == .unchanged { life = .updated }
    }

    mutating func set(_ key: NodeKey, _ value: Int?) {
        if NodeKey.toOnes.contains(key), values[key] == value { return }
        changes.updateValue(value, forKey: key)
        if life == .unchanged { life = .updated }
    }

    mutating func setAll(_ values: NodeValues) {
        for key in NodeKey.allCases { set(key, values[key]) }
    }

    mutating func drop(_ keys: [NodeKey]) {
        for key in keys { changes.removeValue(forKey: key) }
        if changes.isEmpty, !hasTagChanges, life == .updated { life = .unchanged }
    }

    mutating func forgetChanges() { (changes, addedTags, removedTags, life) = ([:], [], [], .unchanged) }
}

/// What a save tells the others: numbers of records.
struct ReferenceNotice: Equatable {
    var inserted: Set<Int> = []
    var updated: Set<Int> = []
    var deleted: Set<Int> = []
}
