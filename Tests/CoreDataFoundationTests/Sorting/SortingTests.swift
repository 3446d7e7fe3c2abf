import CoreDataFoundation
import Testing

struct SortingTests {
    private func sorted(_ values: [Any?], _ descriptor: NSSortDescriptor) -> [String] {
        values.map { Sample(["v": $0]) }
            .sorted { descriptor.compare($0, to: $1) == .orderedAscending }
            .map { $0.values["v"].flatMap { $0 }.map { "\($0)" } ?? "nil" }
    }

    @Test("by key, nil first when ascending (PRD-29)")
    func sortsByKey() {
        #expect(sorted([3, nil, 1.5, 2], NSSortDescriptor(key: "v", ascending: true)) == ["nil", "1.5", "2", "3"])
        #expect(sorted([3, nil, 1], NSSortDescriptor(key: "v", ascending: false)) == ["3", "1", "nil"])
        #expect(sorted(["b", "B", "a"], NSSortDescriptor(key: "v", ascending: true)) == ["B", "a", "b"])
    }

    @Test("age descending, then name ascending, by key paths (PRD-29)")
    func sortsBySeveralKeys() {
        let people = [("b", 30), ("a", 30), ("c", 40)].map { Sample(["p": Sample(["name": $0.0, "age": $0.1])]) }
        let descriptors = [
            NSSortDescriptor(key: "p.age", ascending: false), NSSortDescriptor(key: "p.name", ascending: true),
        ]
        let names = (people as NSArray).sortedArray(using: descriptors).compactMap {
            ($0 as? Sample)?.value(forKeyPath: "p.name") as? String
        }
        #expect(names == ["c", "a", "b"])
    }

    @Test(
        "named comparisons (PRD-30)",
        arguments: [
            ("compare:", ["B", "a10", "a9"]), ("caseInsensitiveCompare:", ["a10", "a9", "B"]),
            ("localizedStandardCompare:", ["a9", "a10", "B"]),
            ("localizedCaseInsensitiveCompare:", ["a10", "a9", "B"]),
            ("localizedCompare:", ["a10", "a9", "B"]),
        ])
    func namedComparisons(name: String, expected: [String]) {
        let descriptor = NSSortDescriptor(key: "v", ascending: true, selector: NSSelectorFromString(name))
        #expect(sorted(["a10", "B", "a9"], descriptor) == expected)
        #expect(descriptor.selector == Selector(name))
        #expect(descriptor.sorting.comparison.name == name)
        #expect(sorted([nil, "a"], descriptor) == ["nil", "a"])
    }

    @Test("an unknown comparison is an error that names it (PRD-31)")
    func unknownComparisonIsAnError() {
        let comparison = NSSortDescriptor(key: "v", ascending: true, selector: "myCustomCompare:").sorting.comparison
        let error = #expect(throws: ExpressionError.self) { try comparison.order("a", "b") }
        #expect(error?.description.contains("unsupported NSSortDescriptor selector: myCustomCompare:") == true)
    }

    @Test("a comparator in Swift gets the values (PRD-31)")
    func comparatorGetsTheValues() {
        let days = ["Mon", "Tue", "Wed"]
        let descriptor = NSSortDescriptor(key: "v", ascending: false) { left, right in
            let (one, two) = (days.firstIndex(of: left as? String ?? ""), days.firstIndex(of: right as? String ?? ""))
            return (one ?? 0) < (two ?? 0) ? .orderedAscending : one == two ? .orderedSame : .orderedDescending
        }
        #expect(sorted(["Tue", "Wed", "Mon"], descriptor) == ["Wed", "Tue", "Mon"])
        #expect(descriptor.selector == nil)
    }

    @Test func descriptorsTellTheirParts() throws {
        let descriptor = NSSortDescriptor(key: "a.b", ascending: true)
        #expect(descriptor.key == "a.b" && descriptor.ascending && descriptor.selector == "compare:")
        let reversed = try #require(descriptor.reversedSortDescriptor as? NSSortDescriptor)
        #expect(reversed.key == "a.b" && !reversed.ascending)
        #expect(reversed == NSSortDescriptor(key: "a.b", ascending: false))
        #expect(Set([descriptor, NSSortDescriptor(key: "a.b", ascending: true)]).count == 1)
        #expect(sorted([2, 1], NSSortDescriptor(key: "v", ascending: true)) == ["1", "2"])
        let whole = NSSortDescriptor(key: nil, ascending: true)
        #expect(whole.compare(1, to: 2) == .orderedAscending)
    }

    @Test func foundationsOwnDescriptorsKeepWorking() {
        let descriptor = NSSortDescriptor(keyPath: \String.count, ascending: true)
        #expect(descriptor.compare("aa", to: "b") == .orderedDescending)
        #expect(descriptor.key == nil)
        #expect(descriptor.sorting.keyPath == \String.count)
    }

    @Test("a Swift key path of an object with named properties is known to sort naturally (PRD-29)")
    func naturalOrderIsKnown() throws {
        let natural = NSSortDescriptor(keyPath: \Sample.size, ascending: false)
        #expect(natural.sorting.comparison.name == "compare:")
        #expect(natural.compare(Sample(["a": 1]), to: Sample([:])) == .orderedAscending)
        let custom = NSSortDescriptor(keyPath: \Sample.size, ascending: true) { _, _ in .orderedSame }
        #expect(custom.sorting.comparison.name == nil)
        for _ in 0..<2_000 {
            #expect(NSSortDescriptor(keyPath: \Sample.size, ascending: true).sorting.comparison.name == "compare:")
        }
    }

    @Test("a Swift key path to an optional value (PRD-29)")
    func optionalKeyPath() {
        let descriptor = NSSortDescriptor(keyPath: \Guest.name, ascending: true)
        let people = [Guest(name: "b", age: 1), Guest(name: nil, age: 2), Guest(name: "a", age: 3)]
        #expect(people.sorted { descriptor.compare($0, to: $1) == .orderedAscending }.map(\.age) == [2, 3, 1])
        #expect(descriptor.sorting.keyPath == \Guest.name)
        #expect(descriptor.sorting.comparison.name == "compare:")
        let reversed = descriptor.reversedSortDescriptor as? NSSortDescriptor
        #expect(reversed?.compare(people[0], to: people[2]) == .orderedAscending)
    }
}

private struct Guest {
    let name: String?
    let age: Int
}
