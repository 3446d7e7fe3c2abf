import StoreContract
import TestBasics
import Testing

@testable import CoreDataGraph

/// What predicates read of managed objects: what reading by key gives, though they seldom read by key.
@Suite(.timeLimit(.minutes(20))) struct PredicateReadingTests {
    private func person(_ stack: Stack, _ entity: String = "Person") -> NSManagedObject {
        stack.context.insert(entity, ["age": 40, "height": 1.5, "name": "Ann", "flag": true, "nick": "annie"])
    }

    private func holds(_ format: String, _ object: NSManagedObject) throws -> Bool {
        try evaluation(of: NSPredicate(parsing: format), on: object)
    }

    @Test("plain, transient, computed and customised properties are read as by key (PRD-25)")
    func everyKindOfPropertyIsRead() throws {
        let stack = try ReadPerson.stack()
        let person = person(stack)
        person.setValue(7, forKey: "passing")
        for format in [
            "age == 40", "height == 1.5", "name == 'Ann'", "flag == YES", "born == nil", "nick == 'ANNIE'",
            "passing == 7", "double == 80", "age BETWEEN {40, 41}", "40 >= age", "name CONTAINS[c] 'N'",
        ] { #expect(try holds(format, person), "\(format)") }
        person.setValue("Äda", forKey: "name")
        person.setValue(nil, forKey: "age")
        for format in ["name BEGINSWITH[cd] 'a'", "age == nil", "age != 40", "NOT age < 50"] {
            #expect(try holds(format, person), "\(format)")
        }
    }

    @Test("a class that overrides value(forKey:) is asked through it (PRD-25)")
    func overriddenAccessIsUsed() throws {
        #expect(MethodOverrides.reading.isOverridden(by: OverridingPerson.self))
        #expect(MethodOverrides.reading.isOverridden(by: ReadPerson.self) == !RuntimeShortcuts.areTaken)
        #expect(!MethodOverrides.reading.isOverridden(by: NSManagedObject.self))
        let stack = try ReadPerson.stack()
        let reporter = person(stack, "Teller")
        #expect(try holds("age == 100 AND name == 'Ann'", reporter))
        #expect([reporter].filtered(using: NSPredicate(format: "age == 40")).isEmpty)
    }

    @Test("plain properties have slots in objects, others have not (PRD-25)", .enabled(if: RuntimeShortcuts.areTaken))
    func plainPropertiesHaveSlots() throws {
        let stack = try ReadPerson.stack()
        let person = person(stack)
        #expect(["age", "height", "name", "born", "flag"].allSatisfy { person.slot(of: $0) != nil })
        #expect(["nick", "double", "passing", "self", "other"].allSatisfy { person.slot(of: $0) == nil })
        #expect(self.person(stack, "Teller").slot(of: "age") == nil)
    }

    @Test("a fault fires when its condition is reached, and stays one before that (PRD-25, OBJ-05)")
    func faultsFireWhenRead() throws {
        let stack = try ReadPerson.stack()
        _ = person(stack)
        try stack.context.save()
        let context = stack.newContext()
        let fault = try #require(try context.all("Person").first)
        context.refresh(fault, mergeChanges: false)
        #expect(fault.isFault)
        #expect(try holds("objectID != nil OR age == 40", fault))
        #expect(fault.isFault)
        #expect(try holds("age == 40 AND name == 'Ann'", fault))
        #expect(!fault.isFault)
    }

    @Test("an object whose context was reset throws rather than answers (PRD-25)")
    func invalidatedObjectsThrow() throws {
        let stack = try ReadPerson.stack()
        let person = person(stack)
        try stack.context.save()
        #expect(try holds("age == 40", person))
        stack.context.reset()
        expectError(133000) { try holds("age == 40", person) }
    }

    @Test("sorting in memory reads a key once for each object, however many comparisons it takes (PRD-29)")
    func sortingReadsKeysOnce() throws {
        let stack = try ReadPerson.stack()
        let people = (0..<100).compactMap {
            stack.context.insert("Person", ["age": $0 * 37 % 100, "name": "N\($0 % 3)"]) as? ReadPerson
        }
        let descriptors = [
            NSSortDescriptor(key: "name", ascending: false), NSSortDescriptor(key: "double", ascending: true),
        ]
        let sorted = try ObjectSorting.sorted(people, by: descriptors)
        #expect(people.allSatisfy { $0.doubleReads == 1 })
        let expected = people.sorted { ($1.name ?? "", $0.age) < ($0.name ?? "", $1.age) }
        #expect(sorted == expected)
    }

    @Test("one predicate on objects of several entities, and on threads at once, answers for each (PRD-25)")
    func plansAreShared() async throws {
        let stack = try ReadPerson.stack()
        let predicate = try NSPredicate(parsing: "age == 40 AND name BEGINSWITH 'A'")
        let mixed = (0..<200).map { person(stack, $0 % 2 == 0 ? "Person" : "Teller") }
        #expect(mixed.filtered(using: predicate).count == 100)
        nonisolated(unsafe) let shared = predicate
        let found = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    guard let own = try? ReadPerson.stack() else { return -1 }
                    return own.context.performAndWait {
                        for number in 0..<100 { own.context.insert("Person", ["age": number, "name": "Ada"]) }
                        let people = Array(own.context.insertedObjects)
                        return (0..<20).reduce(0) { sum, _ in sum + people.filtered(using: shared).count }
                    }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(found == 160)
    }
}
