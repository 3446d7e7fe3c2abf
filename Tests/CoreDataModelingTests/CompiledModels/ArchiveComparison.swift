import CoreDataModeling

/// Compares two keyed archives as graphs, from their roots: classes, keys and values, whatever the order of the objects.
///
/// Dictionaries of both kinds count as pairs by text, and sets as members by name or text.
struct ArchiveComparison {
    /// What differs: the class, the key, and the two values or kinds.
    struct Difference: Hashable {
        let place: String
        let original: String
        let written: String
    }

    private struct Pair: Hashable {
        let original: KeyedArchive.Reference
        let written: KeyedArchive.Reference
    }

    private let original: KeyedArchive
    private let written: KeyedArchive
    private var seen = Set<Pair>()
    private var open: [Pair] = []
    private(set) var differences: [Difference] = []
    /// How many pairs of objects were compared.
    var count: Int { seen.count }

    init(_ original: Data, _ written: Data) throws {
        self.original = try KeyedArchive(original)
        self.written = try KeyedArchive(written)
        compare(self.original.root, self.written.root, at: "root")
        while let pair = open.popLast() { compare(pair) }
    }

    private mutating func compare(_ pair: Pair) {
        guard let one = original.object(pair.original), let other = written.object(pair.written) else { return }
        if one.className.contains("Dictionary"), let pairs = original.pairs(.uid(pair.original.index)) {
            let others = written.pairs(.uid(pair.written.index)) ?? []
            return compareNamed(named(pairs, original), named(others, written), at: one.className)
        }
        if one.className.hasSuffix("Set") {
            return compareNamed(members(one, original), members(other, written), at: one.className)
        }
        for key in Set(one.fields.keys).union(other.fields.keys).sorted() where key != "$class" {
            let place = "\(one.className).\(key)"
            switch (one.fields[key], other.fields[key]) {
            case (let mine?, let theirs?): compare(mine, theirs, at: place)
            case (let mine?, nil): note(place, describe(mine, original), "no key")
            case (nil, let theirs?): note(place, "no key", describe(theirs, written))
            case (nil, nil): break
            }
        }
    }

    private func named(_ pairs: [(key: PropertyList, value: PropertyList)], _ archive: KeyedArchive) -> [String:
        PropertyList]
    {
        Dictionary(pairs.map { (archive.string($0.key) ?? "?", $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    private func members(_ object: KeyedArchive.Object, _ archive: KeyedArchive) -> [String: PropertyList] {
        let elements = object.fields["NS.objects"]?.array ?? []
        return Dictionary(
            elements.map { element in
                let name = archive.object(element).flatMap { archive.string($0.fields["NSEntityName"]) }
                return (name ?? archive.string(element) ?? "?", element)
            }, uniquingKeysWith: { first, _ in first })
    }

    private mutating func compareNamed(
        _ one: [String: PropertyList], _ other: [String: PropertyList], at place: String
    ) {
        if Set(one.keys) != Set(other.keys) { note(place, "\(one.keys.sorted())", "\(other.keys.sorted())") }
        for (key, value) in one { if let match = other[key] { compare(value, match, at: place) } }
    }

    private mutating func compare(_ one: PropertyList, _ other: PropertyList, at place: String) {
        if let mine = one.array, let theirs = other.array {
            if mine.count != theirs.count { note(place, "\(mine.count) elements", "\(theirs.count) elements") }
            for (value, match) in zip(mine, theirs) { compare(value, match, at: place) }
            return
        }
        if case .uid = one, case .uid = other, let mine = original.object(one), let theirs = written.object(other) {
            if mine.classNames != theirs.classNames { note(place, mine.className, theirs.className) }
            guard mine.className == theirs.className else { return }
            let pair = Pair(original: mine.reference, written: theirs.reference)
            if seen.insert(pair).inserted { open.append(pair) }
            return
        }
        // A reference to a plain value and the value itself are told apart by their kind.
        let kinds = [one, other].map { if case .uid = $0 { true } else { false } }
        if kinds[0] != kinds[1] || original.resolve(one) != written.resolve(other) {
            note(place, describe(one, original), describe(other, written))
        }
    }

    private func describe(_ value: PropertyList, _ archive: KeyedArchive) -> String {
        if let object = archive.object(value) { return object.className }
        return "\(archive.resolve(value))"
    }

    private mutating func note(_ place: String, _ original: String, _ written: String) {
        differences.append(Difference(place: place, original: original, written: written))
    }
}
