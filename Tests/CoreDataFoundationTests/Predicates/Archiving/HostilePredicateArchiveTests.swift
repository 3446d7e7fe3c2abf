import CoreDataFoundation
import TestBasics
import Testing

struct HostilePredicateArchiveTests {
    private func reason(_ data: Data) -> String? {
        let error = #expect(throws: NSError.self) {
            try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: data)
        }
        #expect(error?.domain == NSCocoaErrorDomain && error?.code == CocoaError.Code.coderReadCorrupt.rawValue)
        return error?.localizedFailureReason
    }

    private func call(_ selector: String, of receiver: [String: PropertyList]?) -> Data {
        var archive = ArchiveBuilder()
        let constant = archive.add("NSConstantValueExpression", ["NSConstantValue": archive.integer(1)])
        var fields: [String: PropertyList] = [
            "NSExpressionType": .integer(4), "NSSelectorName": archive.text(selector),
            "NSArguments": archive.collection("NSArray", [constant]),
        ]
        if let receiver { fields["NSOperand"] = archive.add("NSConstantValueExpression", receiver) }
        return comparison(archive.add("NSFunctionExpression", fields), constant, &archive)
    }

    private func comparison(
        _ left: PropertyList, _ right: PropertyList, type: Int64 = 4, _ archive: inout ArchiveBuilder
    ) -> Data {
        let test = archive.add("NSEqualityPredicateOperator", ["NSOperatorType": .integer(type)])
        let root = archive.add(
            "NSComparisonPredicate",
            ["NSLeftExpression": left, "NSRightExpression": right, "NSPredicateOperator": test])
        return archive.data(root: root)
    }

    @Test("only predefined functions are taken from an archive (PRD-32, HAZ-48)")
    func functionsAreAClosedList() throws {
        #expect(reason(call("removeItemAtPath:", of: nil))?.contains("removeItemAtPath:") == true)
        #expect(reason(call("sum:", of: ["NSConstantValue": .integer(5)]))?.contains("sum:") == true)
        #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: call("abs:", of: nil)) != nil)
        #expect(reason(call("now", of: nil))?.contains("argument") == true)
    }

    @Test("comparisons by selector, unknown types and unknown classes are refused (PRD-32, HAZ-48)")
    func unknownFormsAreRefused() {
        for type: Int64 in [11, 12, -1, 98, .max] {
            var archive = ArchiveBuilder()
            let constant = archive.add("NSConstantValueExpression", ["NSConstantValue": archive.integer(1)])
            _ = reason(comparison(constant, constant, type: type, &archive))
        }
        for name in [
            "NSBlockPredicate", "NSObject", "NSManagedObject", "NSBlockExpression", "NSConstantValueExpression",
        ] {
            var archive = ArchiveBuilder()
            let root = archive.add(name, [:])
            #expect(reason(archive.data(root: root))?.contains(name) == true)
        }
        for type: Int64 in [0, 3, -1, .min] {
            var archive = ArchiveBuilder()
            let none = archive.collection("NSArray", [])
            let root = archive.add(
                "NSCompoundPredicate", ["NSCompoundPredicateType": .integer(type), "NSSubpredicates": none])
            _ = reason(archive.data(root: root))
        }
        for data in [Data(), Data("bplist00".utf8), Data(repeating: 0xFF, count: 500)] { _ = reason(data) }
    }

    @Test("a predicate that contains itself, or grows by sharing, is refused (PRD-32, HAZ-48)")
    func circlesAndBombsAreRefused() {
        var circle = ArchiveBuilder()
        let place = circle.reserve()
        let parts = circle.collection("NSArray", [place])
        circle.define(
            place, className: "NSCompoundPredicate",
            fields: ["NSCompoundPredicateType": .integer(0), "NSSubpredicates": parts])
        #expect(reason(circle.data(root: place))?.contains("deeper") == true)
        var bomb = ArchiveBuilder()
        var part = bomb.add("NSTruePredicate", [:])
        for _ in 0..<100 {
            let twice = bomb.collection("NSArray", [part, part])
            part = bomb.add(
                "NSCompoundPredicate", ["NSCompoundPredicateType": .integer(1), "NSSubpredicates": twice])
        }
        #expect(reason(bomb.data(root: part))?.contains("too many parts") == true)
    }

    @Test("depth is bounded when writing too (PRD-32)")
    func depthIsBounded() throws {
        func nested(_ depth: Int) -> NSPredicate {
            (0..<depth).reduce(NSPredicate(format: "a == 1")) { inner, _ in
                NSCompoundPredicate(notPredicateWithSubpredicate: inner)
            }
        }
        let data = try NSKeyedArchiver.archivedData(withRootObject: nested(190), requiringSecureCoding: true)
        #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: data) != nil)
        expectError(4866) {
            try NSKeyedArchiver.archivedData(withRootObject: nested(300), requiringSecureCoding: true)
        }
    }

    @Test("damaged archives give a predicate or an error (PRD-32, HAZ-48)", .timeLimit(.minutes(20)))
    func damagedArchives() throws {
        let seed = TestSeed.first
        let corpus = try PredicateArchivingTests.formats.map { format in
            try NSKeyedArchiver.archivedData(
                withRootObject: NSPredicate(parsing: format), requiringSecureCoding: true)
        }
        let mutator = ArchiveMutator(corpus)
        var random = SeededRandom(seed: seed)
        var (read, refused) = (0, 0)
        for _ in 0..<20_000 {
            do {
                let data = mutator.mutation(&random)
                let predicate = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: data)
                // What was taken for a predicate must bear to be used.
                if let predicate {
                    _ = predicate.formatString
                    _ = try? evaluation(of: predicate, on: ["name": "a", "rank": 3], variables: [:])
                    _ = try NSKeyedArchiver.archivedData(withRootObject: predicate, requiringSecureCoding: true)
                }
                read += 1
            } catch let error as NSError {
                #expect(error.domain == NSCocoaErrorDomain)
                refused += 1
            }
        }
        print("PRD-32: seed \(seed), 20000 damaged archives: \(read) read, \(refused) refused")
        #expect(read > 0 && refused > 0)
    }
}
