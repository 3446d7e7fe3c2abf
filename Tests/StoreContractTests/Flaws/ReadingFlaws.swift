import CoreData

/// Asks another question than it was asked.
class AsksOtherwise: PassingLayer {
    func altered(_ query: FetchQuery) -> FetchQuery { query }
    override func fetch(_ query: FetchQuery) throws -> FetchedRows { try inner.fetch(altered(query)) }
    override func count(_ query: FetchQuery) throws -> Int { try inner.count(altered(query)) }
}

final class IgnoresPredicates: AsksOtherwise {
    override func altered(_ query: FetchQuery) -> FetchQuery {
        FetchQuery(
            binding: query.binding, includesSubentities: query.includesSubentities,
            sortDescriptors: query.sortDescriptors, limit: query.limit, offset: query.offset,
            includesValues: query.includesValues)
    }
}

final class IgnoresSorting: AsksOtherwise {
    override func altered(_ query: FetchQuery) -> FetchQuery {
        FetchQuery(
            binding: query.binding, includesSubentities: query.includesSubentities, predicate: query.predicate,
            limit: query.limit, offset: query.offset, includesValues: query.includesValues)
    }
}

final class IgnoresLimits: AsksOtherwise {
    override func altered(_ query: FetchQuery) -> FetchQuery {
        FetchQuery(
            binding: query.binding, includesSubentities: query.includesSubentities, predicate: query.predicate,
            sortDescriptors: query.sortDescriptors, includesValues: query.includesValues)
    }
}

final class ForgetsSubentities: AsksOtherwise {
    override func altered(_ query: FetchQuery) -> FetchQuery {
        FetchQuery(
            binding: query.binding, includesSubentities: false, predicate: query.predicate,
            sortDescriptors: query.sortDescriptors, limit: query.limit, offset: query.offset,
            includesValues: query.includesValues)
    }
}

final class CountsOneTooMany: PassingLayer {
    override func count(_ query: FetchQuery) throws -> Int { try inner.count(query) + 1 }
}

final class FindsNoRows: PassingLayer {
    override func rows(of binding: EntityBinding, keys: [Int64]) throws -> [RowRun] { [] }
}

final class FindsNoMembers: PassingLayer {
    override func members(
        of relationship: NSRelationshipDescription, owner: EntityBinding, key: Int64
    ) throws -> AddressList { AddressList() }
}

/// Gives the first owner's members to all of them.
final class MixesMembers: PassingLayer {
    override func members(
        of relationship: NSRelationshipDescription, owner: EntityBinding, keys: [Int64]
    ) throws -> MemberRows {
        var found = try super.members(of: relationship, owner: owner, keys: keys)
        found.pairs = found.pairs.map { (keys[0], $0.member) }
        return found
    }
}

final class CutsLargeValues: PassingLayer {
    override func largeValue(stored: UnsafeRawBufferPointer) throws -> Data {
        Data(try inner.largeValue(stored: stored).prefix(100_000))
    }
}

final class LosesValues: PassingLayer {
    override func values(_ query: ValueQuery, _ body: (ValueTable) -> Void) throws {
        let found: ValueTable = try inner.values(query)
        let table = ValueTable(width: found.width)
        for row in 0..<max(0, found.count - 1) {
            for cell in found.row(row) { table.append(cell) }
        }
        body(table)
    }
}
