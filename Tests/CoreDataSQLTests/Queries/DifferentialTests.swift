import CoreDataFoundation
import CoreDataSQL
import Foundation
import SQLiteKit
import TestBasics
import Testing

/// Every predicate is asked twice, in memory and in SQL; the answers must be the same rows.
@MainActor
@Suite("Predicates in SQL and in memory")
struct DifferentialTests {
    static let world: QueryWorld = {
        do {
            let world = try QueryWorld()
            try world.fill(seed: 20_240_501)
            return world
        } catch {
            preconditionFailure("the database of the tests cannot be made: \(error)")
        }
    }()

    private var world: QueryWorld { Self.world }

    /// Expects the same rows of both; says how many they are.
    @discardableResult
    private func expectAgreement(_ predicate: NSPredicate, _ entity: String = "Person", _ note: String = "") -> Int {
        do {
            let compiled = try world.compiled(predicate, entity)
            let found = try world.keys(world.query(entity, predicate)).sorted()
            let expected = try world.keysInMemory(predicate, entity)
            let missing = Set(expected).subtracting(found).sorted().prefix(5)
            let extra = Set(found).subtracting(expected).sorted().prefix(5)
            #expect(
                found == expected,
                "\(note) \(predicate.formatString.prefix(200))\n\(compiled.sql.prefix(400)); missing \(missing), extra \(extra)"
            )
            let count = try world.count(world.query(entity, predicate))
            #expect(count == Int64(expected.count), "count of \(predicate.formatString.prefix(200))")
            return expected.count
        } catch {
            Issue.record("\(note) \(predicate.formatString.prefix(200)): \(error)")
            return 0
        }
    }

    @Test(
        "every predicate of the pool selects the same rows in SQL as in memory, most some of them (PRD-08, PRD-10, HAZ-52)"
    )
    func poolAgrees() throws {
        var sizes: [Int] = []
        for (format, arguments) in PredicatePool.formats {
            sizes.append(expectAgreement(try NSPredicate(parsing: format, arguments: arguments)))
        }
        #expect(sizes.count > 700)
        let all = try #require(world.objects["Person"]).count
        #expect(sizes.count { $0 > 0 && $0 < all } > sizes.count * 3 / 4)
    }

    @Test("objects and identifiers agree, those of other stores and tables match nothing (PRD-09, PRD-21, PRD-22)")
    func recordsAgree() throws {
        let person = try world.identifier("Employee", 2)
        let asPerson = try world.identifier("Person", 2)
        let department = try world.identifier("Department", 3)
        let elsewhere = try world.identifier("Person", 2, in: QueryWorld.makeStore("OTHER"))
        let temporary = try world.identifier("Person", 2, isTemporary: true)
        let skill = try world.identifier("Skill", 2)
        let formats: [(String, [Any?])] = [
            ("SELF == %@", [person]), ("SELF == %@", [asPerson]), ("SELF != %@", [person]),
            ("SELF == %@", [department]),
            ("SELF == %@", [elsewhere]), ("SELF != %@", [elsewhere]), ("SELF == %@", [temporary]), ("SELF == nil", []),
            ("objectID == %@", [person]), ("self IN %@", [[person, department, elsewhere, temporary]]),
            ("NOT self IN %@", [[person, asPerson]]), ("department == %@", [department]),
            ("department != %@", [department]),
            ("%@ == department", [department]), ("department == %@", [person]),
            ("department IN %@", [[department, nil]]),
            ("department IN %@", [Set([department])]), ("department IN %@", [NSSet(array: [department])]),
            ("boss == %@", [person]), ("boss.department == %@", [department]), ("ANY skills == %@", [skill]),
            ("%@ IN skills", [skill]), ("skills CONTAINS %@", [skill]), ("NONE skills == %@", [skill]),
            ("ALL skills != %@", [skill]), ("ANY reports IN %@", [[person]]), ("reports CONTAINS %@", [elsewhere]),
            ("self IN %@", [try (1...900).map { try world.identifier("Person", $0) }]), ("SELF == %@", ["text"]),
            ("SELF < %@", [person]), ("department == 3", []), ("ANY friends == %@", [person]),
        ]
        for (format, arguments) in formats { expectAgreement(try NSPredicate(parsing: format, arguments: arguments)) }
        #expect(try world.keys(world.query("Person", NSPredicate(format: "self IN %@", [person, temporary]))) == [2])
    }

    @Test("quantifiers agree from the other ends of the relationships (PRD-13)")
    func otherEntitiesAgree() throws {
        let formats = [
            ("Department", "ANY people.ratio > 1"), ("Department", "ALL people.small >= 0"),
            ("Department", "people.@count == 0"),
            ("Department", "NONE people.small < 0"),
            ("Department", "company.name == 'Company 1' AND ANY people.flag == YES"),
            ("Department", "people.@max.small > people.@min.small"), ("Company", "ANY departments.name == nil"),
            ("Company", "departments.@sum.budget > 1000"), ("Company", "ALL departments.budget < 700"),
            ("Company", "SUBQUERY(departments, $d, ANY $d.people.small > 5).@count > 1"),
            ("Skill", "ANY people.department.name != nil"), ("Skill", "people.@count > 40"),
            ("Skill", "ALL people.small < 100"),
        ]
        for (entity, format) in formats { expectAgreement(try NSPredicate(parsing: format), entity) }
    }

    @Test("OR over values equals IN (PRD-20)")
    func disjunctionEqualsList() throws {
        let names = ["abc", "Ärger", "Sales"]
        let parts = names.map { NSPredicate(format: "name == %@", $0) }
        let disjunction = try world.keys(
            world.query("Person", NSCompoundPredicate(orPredicateWithSubpredicates: parts)))
        #expect(try disjunction == world.keys(world.query("Person", NSPredicate(format: "name IN %@", names))))
        #expect(!disjunction.isEmpty)
    }
}
