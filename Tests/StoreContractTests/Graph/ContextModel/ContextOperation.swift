import TestBasics

/// How many contexts there are, and what each reads from.
enum ContextArrangement: CaseIterable {
    /// Three contexts of one coordinator.
    case siblings
    /// Two contexts of one coordinator, and one of another on the same file.
    case coordinators
    /// A context with two children, and a stranger on the same coordinator.
    case family
    /// A context with two children, of which one has a child.
    case dynasty
    /// A context with a child, which has a child, and a stranger on the same coordinator.
    case line

    /// For each context the number of its parent.
    var parents: [Int?] {
        switch self {
        case .siblings, .coordinators: [nil, nil, nil]
        case .family: [nil, 0, 0, nil]
        case .dynasty: [nil, 0, 1, 0]
        case .line: [nil, 0, 1, nil]
        }
    }
}

/// One thing that a random sequence does; the numbers choose a context, a record and values.
struct ContextOperation: CustomStringConvertible {
    enum Kind: CaseIterable {
        case insert, read, readAll, text, count, blob, link, owner, tag, same, delete, save, merge, mergeLate, refresh,
            refault, rollback
        case reset, policy, fetch
    }
    let kind: Kind
    let numbers: [Int]

    var description: String { ".\(kind)\(numbers)" }

    private static let weights: [(Kind, Int)] = [
        (.insert, 5), (.read, 4), (.readAll, 6), (.text, 10), (.count, 10), (.blob, 3), (.link, 6), (.owner, 10),
        (.tag, 10), (.same, 2), (.delete, 8),
        (.save, 14), (.merge, 3), (.mergeLate, 2), (.refresh, 4), (.refault, 4), (.rollback, 2), (.reset, 1),
        (.policy, 5), (.fetch, 4),
    ]

    /// The operations of a seed, of which each prefers some kinds to others.
    static func sequence(_ random: inout SeededRandom) -> [ContextOperation] {
        let pool = weights.flatMap { kind, weight in
            Array(repeating: kind, count: max(1, weight * [1, 1, 2, 4, 8][random.next(below: 5)] / 2))
        }
        let count = 40 + random.next(below: 61)
        var operations = (0..<count).map { _ in
            let kind = pool[random.next(below: pool.count)]
            return ContextOperation(kind: kind, numbers: (0..<4).map { _ in random.next(below: 1000) })
        }
        if random.next(below: 20) == 0 {
            operations.insert(contentsOf: meeting, at: random.next(below: operations.count))
        }
        return operations
    }

    /// What chance brings about too seldom: a child brings a record back that its parent deleted, and a stranger does so
    /// too, before the parent is saved.
    private static let meeting: [ContextOperation] = [
        (.policy, 0), (.policy, 1), (.policy, 3), (.readAll, 0), (.readAll, 1), (.readAll, 3), (.count, 1), (.count, 3),
        (.delete, 0), (.save, 0), (.save, 1), (.save, 3), (.save, 0),
    ].map { kind, context in
        // Every context prefers what it has itself, and chooses the same record again.
        ContextOperation(kind: kind, numbers: [context, 1, 7, 1])
    }
}
