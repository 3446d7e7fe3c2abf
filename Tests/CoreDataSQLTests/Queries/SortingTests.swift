import CoreDataFoundation
import CoreDataSQL
import Foundation
import SQLiteKit
import Testing

@MainActor
@Suite("Sort descriptors in SQL")
struct SortingTests {
    private var world: QueryWorld { DifferentialTests.world }

    private func sortedInMemory(_ descriptors: [NSSortDescriptor]) throws -> [Int64] {
        let objects = try #require(world.objects["Person"])
        return try objects.sorted { left, right in
            for descriptor in descriptors {
                let sorting = descriptor.sorting
                let values = try [left, right].map { try $0.codedValue(forKeyPath: sorting.key ?? "self") }
                let order = try sorting.comparison.order(values[0], values[1])
                if order != .orderedSame { return (order == .orderedAscending) == sorting.ascending }
            }
            return left.key < right.key
        }.map(\.key)
    }

    @Test("keys and key paths sort as in memory, nil first ascending (FET-04, PRD-29)", arguments: [true, false])
    func keysSortAsInMemory(ascending: Bool) throws {
        let keys = [
            "name", "small", "large", "flag", "ratio", "single", "price", "born", "token", "link", "department.name",
            "department.company.name", "boss.born", "skills.@count", "department.people.@count",
        ]
        for key in keys {
            let descriptors = [NSSortDescriptor(key: key, ascending: ascending)]
            let found = try world.keys(world.query("Person", nil, sortedBy: descriptors, limit: 1000))
            #expect(try found == sortedInMemory(descriptors), "\(key)")
        }
    }

    @Test("named comparisons give the order of memory (PRD-30)")
    func namedComparisonsAgree() throws {
        let names = [
            "compare:", "caseInsensitiveCompare:", "localizedCompare:", "localizedCaseInsensitiveCompare:",
            "localizedStandardCompare:",
        ]
        for name in names {
            for key in ["name", "department.name", "small", "link"] {
                let descriptors = [
                    NSSortDescriptor(key: key, ascending: false, selector: Selector(name)),
                    NSSortDescriptor(key: "small", ascending: true),
                ]
                let found = try world.keys(world.query("Person", nil, sortedBy: descriptors, limit: 1000))
                #expect(try found == sortedInMemory(descriptors), "\(name) \(key)")
            }
        }
    }

    @Test("pages by limit and offset enumerate every row exactly once (FET-07)")
    func pagesEnumerateEveryRowOnce() throws {
        let descriptors = [NSSortDescriptor(key: "flag", ascending: true)]
        var keys: [Int64] = []
        for page in 0..<40 {
            keys += try world.keys(world.query("Person", nil, sortedBy: descriptors, limit: 9, offset: page * 9))
        }
        #expect(keys.count == 320)
        #expect(Set(keys).count == 320)
    }

    @Test("a count applies limit and offset; negative ones count as none (FET-07, HAZ-55)")
    func countAppliesLimitAndOffset() throws {
        #expect(try world.count(world.query("Person", nil, limit: 10)) == 10)
        #expect(try world.count(world.query("Person", nil, limit: 10, offset: 315)) == 5)
        #expect(try world.count(world.query("Person", nil, offset: 300)) == 20)
        #expect(try world.count(world.query("Person", nil, limit: -5, offset: -5)) == 320)
        #expect(try world.keys(world.query("Person", nil, limit: 3, offset: 1000)).isEmpty)
    }

    @Test("The order of entities: a family, one entity, a sub-entity")
    func entitiesAreDistinguished() throws {
        #expect(try world.count(world.query("Person", nil)) == 320)
        #expect(try world.count(world.query("Person", nil, includesSubentities: false)) == 107)
        #expect(try world.count(world.query("Employee", nil)) == 213)
        #expect(try world.count(world.query("Employee", nil, includesSubentities: false)) == 107)
        #expect(try world.count(world.query("Manager", NSPredicate(format: "level != nil OR salary > 0"))) == 106)
    }
}
